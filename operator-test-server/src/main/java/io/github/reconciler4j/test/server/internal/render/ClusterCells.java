package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.BuiltInColumns.items;
import static io.github.reconciler4j.test.server.internal.render.BuiltInColumns.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The cells of volumes, Ingresses, autoscalers, disruption budgets, CronJobs, role bindings, quotas and endpoints. */
final class ClusterCells {
    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
    private static final int MAX_HOSTS = 3;
    private static final int MAX_METRICS = 2;

    private ClusterCells() {}

    private static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    private static String shortened(List<String> texts, int limit, int all, String delimiter) {
        String shown = texts.stream().limit(limit).collect(Collectors.joining(delimiter));
        return all > limit ? shown + " + " + (all - limit) + " more..." : shown;
    }

    static String phase(ObjectNode volume) {
        return text(volume, "metadata.deletionTimestamp").isEmpty() ? text(volume, "status.phase") : "Terminating";
    }

    static String claim(ObjectNode volume) {
        String name = text(volume, "spec.claimRef.name");
        return name.isEmpty() ? "" : text(volume, "spec.claimRef.namespace") + "/" + name;
    }

    static String capacity(ObjectNode claim) {
        boolean isBound = !text(claim, "spec.volumeName").isEmpty();
        return isBound ? or(text(claim, "status.capacity.storage"), "0") : "";
    }

    static String claimedModes(ObjectNode claim) {
        boolean isBound = !text(claim, "spec.volumeName").isEmpty();
        return isBound ? accessModes(claim, "status.accessModes") : "";
    }

    static String accessModes(ObjectNode volume, String path) {
        List<String> given = Json.texts(volume, path.split("\\."));
        return List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod").stream()
                .filter(given::contains)
                .map(MODES::get)
                .collect(Collectors.joining(","));
    }

    static String hosts(ObjectNode ingress) {
        List<JsonNode> rules = items(ingress, "spec.rules");
        List<String> hosts = rules.stream()
                .map(rule -> text(rule, "host"))
                .filter(host -> !host.isEmpty())
                .toList();
        return hosts.isEmpty() ? "*" : shortened(hosts, MAX_HOSTS, hosts.size() > MAX_HOSTS ? rules.size() : 0, ",");
    }

    static String ingressAddress(ObjectNode ingress) {
        return items(ingress, "status.loadBalancer.ingress").stream()
                .map(entry -> or(text(entry, "ip"), text(entry, "hostname")))
                .sorted()
                .distinct()
                .collect(Collectors.joining(","));
    }

    static String ingressPorts(ObjectNode ingress) {
        return items(ingress, "spec.tls").isEmpty() ? "80" : "80, 443";
    }

    static String scaleTarget(ObjectNode scaler) {
        return text(scaler, "spec.scaleTargetRef.kind") + "/" + text(scaler, "spec.scaleTargetRef.name");
    }

    static String metrics(ObjectNode scaler) {
        List<JsonNode> wanted = items(scaler, "spec.metrics");
        List<JsonNode> seen = items(scaler, "status.currentMetrics");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            texts.add(metric(wanted.get(i), i < seen.size() ? seen.get(i) : Json.object()));
        }
        return texts.isEmpty() ? "<none>" : shortened(texts, MAX_METRICS, texts.size(), ", ");
    }

    private static String metric(JsonNode wanted, JsonNode seen) {
        String type = text(wanted, "type");
        String key = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
        JsonNode target = Json.path(wanted, key, "target");
        JsonNode current = Json.path(seen, key, "current");
        boolean isResource = type.endsWith("Resource");
        String prefix = isResource ? text(wanted, key + ".name") + ": " : "";
        if (target.has("averageValue")) {
            boolean isMean = type.equals("External") || type.equals("Object");
            return prefix + or(text(current, "averageValue"), "<unknown>") + "/" + text(target, "averageValue")
                    + (isMean ? " (avg)" : "");
        }
        return isResource
                ? prefix + percent(current, "<unknown>") + "/" + percent(target, "<auto>")
                : or(text(current, "value"), "<unknown>") + "/" + text(target, "value");
    }

    private static String percent(JsonNode value, String otherwise) {
        String percent = text(value, "averageUtilization");
        return percent.isEmpty() ? otherwise : percent + "%";
    }

    /** Return what is used of what a quota allows: of the limits of pods, or of everything else. */
    static String amounts(ObjectNode quota, boolean ofLimits) {
        Map<String, String> used = Json.stringMap(quota, "status", "used");
        return Json.stringMap(quota, "status", "hard").entrySet().stream()
                .filter(hard -> hard.getKey().startsWith("limits.") == ofLimits)
                .map(hard -> hard.getKey() + ": " + used.getOrDefault(hard.getKey(), "0") + "/" + hard.getValue())
                .collect(Collectors.joining(", "));
    }

    static String addresses(ObjectNode endpoints) {
        List<String> addresses = new ArrayList<>();
        for (JsonNode subset : items(endpoints, "subsets")) {
            List<String> ports = items(subset, "ports").stream()
                    .map(port -> text(port, "port"))
                    .toList();
            for (String port : ports.isEmpty() ? List.of("") : ports) {
                items(subset, "addresses").stream()
                        .map(address -> text(address, "ip"))
                        .map(ip -> port.isEmpty() ? ip : (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port)
                        .forEach(addresses::add);
            }
        }
        return addresses.isEmpty() ? "<none>" : listed(addresses);
    }

    static String sliceAddresses(ObjectNode slice) {
        return listed(items(slice, "endpoints").stream()
                .flatMap(endpoint -> Json.texts(endpoint, "addresses").stream())
                .toList());
    }

    static String slicePorts(ObjectNode slice) {
        return listed(items(slice, "ports").stream()
                .map(port -> or(or(text(port, "port"), text(port, "name")), "*"))
                .toList());
    }

    private static String listed(List<String> texts) {
        return texts.isEmpty() ? "<unset>" : shortened(texts, MAX_HOSTS, texts.size(), ",");
    }

    static String parameters(ObjectNode ingressClass) {
        JsonNode parameters = Json.path(ingressClass, "spec", "parameters");
        String group = text(parameters, "apiGroup");
        return parameters.isEmpty()
                ? "<none>"
                : text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/" + text(parameters, "name");
    }

    static String controller(ObjectNode revision) {
        return items(revision, "metadata.ownerReferences").stream()
                .filter(owner -> owner.path("controller").asBoolean())
                .map(owner -> {
                    String version = text(owner, "apiVersion");
                    String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
                    return text(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + text(owner, "name");
                })
                .findFirst()
                .orElse("<none>");
    }

    static String wish(ObjectNode budget, String path) {
        return or(text(budget, path), "N/A");
    }

    static String lastSchedule(ObjectNode job, Instant now) {
        String time = text(job, "status.lastScheduleTime");
        return time.isEmpty() ? "<none>" : Column.Ages.since(time, now);
    }

    static String subjects(ObjectNode binding, String kind) {
        return items(binding, "subjects").stream()
                .filter(subject -> text(subject, "kind").equals(kind))
                .map(subject -> kind.equals("ServiceAccount")
                        ? text(subject, "namespace") + "/" + text(subject, "name")
                        : text(subject, "name"))
                .collect(Collectors.joining(", "));
    }
}
