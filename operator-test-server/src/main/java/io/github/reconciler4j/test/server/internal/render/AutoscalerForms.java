package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Autoscalers in version 1, which knows of the use of the processor alone. Kept in the form of version 2. */
final class AutoscalerForms {
    private static final String PERCENTAGE = "targetCPUUtilizationPercentage";
    private static final String CURRENT = "currentCPUUtilizationPercentage";
    private static final List<String> STATUS =
            List.of("observedGeneration", "lastScaleTime", "currentReplicas", "desiredReplicas", CURRENT);

    private AutoscalerForms() {}

    /** Makes an autoscaler of version 2 one of version 1. */
    static void toFirst(ObjectNode autoscaler) {
        ObjectNode spec = Json.child(autoscaler, "spec");
        JsonNode target = utilization(Json.items(spec, "metrics"), "target", "averageUtilization");
        Json.setOrRemove(spec, PERCENTAGE, target);
        spec.remove(List.of("metrics", "behavior"));
        ObjectNode status = Json.child(autoscaler, "status");
        Json.setOrRemove(
                status, CURRENT, utilization(Json.items(status, "currentMetrics"), "current", "averageUtilization"));
        status.retain(STATUS);
        for (String count : List.of("currentReplicas", "desiredReplicas")) {
            if (!status.has(count)) {
                status.put(count, 0);
            }
        }
    }

    private static @Nullable JsonNode utilization(List<JsonNode> metrics, String part, String field) {
        for (JsonNode metric : metrics) {
            if (Json.text(metric, "resource", "name").equals("cpu")) {
                return Json.at(metric, "resource", part, field);
            }
        }
        return null;
    }

    /** Makes an autoscaler of version 1 one of version 2. */
    static void toSecond(ObjectNode autoscaler) {
        ObjectNode spec = Json.child(autoscaler, "spec");
        JsonNode percentage = spec.remove(PERCENTAGE);
        if (percentage != null) {
            ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
            ObjectNode target = metric.putObject("resource").put("name", "cpu").putObject("target");
            target.put("type", "Utilization").set("averageUtilization", percentage);
        }
        ObjectNode status = Json.child(autoscaler, "status");
        status.remove(CURRENT);
        if (!status.has("currentMetrics")) {
            status.putNull("currentMetrics");
        }
        if (Json.number(status, 0, "currentReplicas") == 0) {
            status.remove("currentReplicas");
        }
    }
}
