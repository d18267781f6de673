package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The metrics of a HorizontalPodAutoscaler as its column shows them: what is and what is wished. */
final class ScalingTargets {
    private static final int MOST = 2;
    private static final String UNKNOWN = "<unknown>";

    private ScalingTargets() {}

    static String text(ObjectNode autoscaler) {
        List<JsonNode> specs = Cells.items(autoscaler, "spec.metrics");
        List<JsonNode> statuses = Cells.items(autoscaler, "status.currentMetrics");
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            shown.add(metric(specs.get(i), i < statuses.size() ? statuses.get(i) : null));
        }
        if (shown.isEmpty()) {
            return Cells.NONE;
        }
        String text = String.join(", ", shown.subList(0, Math.min(MOST, shown.size())));
        return shown.size() > MOST ? text + " + " + (shown.size() - MOST) + " more..." : text;
    }

    private static String metric(JsonNode spec, @Nullable JsonNode status) {
        String type = Cells.text(spec, "type");
        return switch (type) {
            case "Resource" -> resource(spec, status, "resource");
            case "ContainerResource" -> resource(spec, status, "containerResource");
            case "External" -> value(spec, status, "external");
            case "Object" -> value(spec, status, "object");
            case "Pods" ->
                current(status, "pods.current.averageValue") + "/" + Cells.text(spec, "pods.target.averageValue");
            default -> "<unknown type>";
        };
    }

    private static String resource(JsonNode spec, @Nullable JsonNode status, String source) {
        String name = Cells.text(spec, source + ".name") + ": ";
        String average = Cells.text(spec, source + ".target.averageValue");
        if (!average.isEmpty()) {
            return name + current(status, source + ".current.averageValue") + "/" + average;
        }
        String percent = current(status, source + ".current.averageUtilization");
        String target = Cells.text(spec, source + ".target.averageUtilization");
        return name + (percent.equals(UNKNOWN) ? percent : percent + "%") + "/"
                + (target.isEmpty() ? "<auto>" : target + "%");
    }

    private static String value(JsonNode spec, @Nullable JsonNode status, String source) {
        String average = Cells.text(spec, source + ".target.averageValue");
        if (!average.isEmpty()) {
            return current(status, source + ".current.averageValue") + "/" + average + " (avg)";
        }
        return current(status, source + ".current.value") + "/" + Cells.text(spec, source + ".target.value");
    }

    private static String current(@Nullable JsonNode status, String path) {
        String value = Cells.text(status, path);
        return value.isEmpty() ? UNKNOWN : value;
    }
}
