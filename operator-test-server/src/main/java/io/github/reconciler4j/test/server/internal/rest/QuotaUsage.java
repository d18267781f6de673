package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Quantities;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What objects take from the quotas of their namespace. Stateless; safe for use by multiple threads. */
final class QuotaUsage {
    private static final Set<String> COMPUTE = Set.of("cpu", "memory", "ephemeral-storage");
    private static final Set<String> REQUIRED =
            Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");
    private static final List<String> OVER = List.of("Succeeded", "Failed");
    private static final ResourceId PODS = new ResourceId("", "pods");

    private QuotaUsage() {}

    /** Return what an object takes from a quota; nothing if there is no object, or the quota is not about it. */
    static Map<String, String> of(ResourceId id, @Nullable JsonNode object, JsonNode quota) {
        if (object == null || id.plural().equals("events") || !isInScope(id, object, quota)) {
            return Map.of();
        }
        Map<String, String> usage = new TreeMap<>(Map.of("count/" + id, "1"));
        switch (id.toString()) {
            case "pods" -> {
                if (!OVER.contains(Json.text(object, "status", "phase"))) {
                    usage.put("pods", "1");
                    compute(usage, object.path("spec"));
                }
            }
            case "services" -> service(usage, object.path("spec"));
            case "persistentvolumeclaims" -> claim(usage, object);
            case "configmaps", "secrets", "replicationcontrollers", "resourcequotas" -> usage.put(id.toString(), "1");
            default -> {}
        }
        usage.keySet().retainAll(Json.stringMap(quota, "spec", "hard").keySet());
        return usage;
    }

    /** Return what a change takes in addition. */
    static Map<String, String> more(
            ResourceId id, @Nullable JsonNode after, @Nullable JsonNode before, JsonNode quota) {
        Map<String, String> more = new TreeMap<>();
        Map<String, String> was = of(id, before, quota);
        of(id, after, quota).forEach((name, amount) -> {
            String had = was.getOrDefault(name, "0");
            if (Quantities.compare(amount, had) > 0) {
                more.put(name, Quantities.sum(amount, "-" + had));
            }
        });
        return more;
    }

    private static void compute(Map<String, String> usage, JsonNode spec) {
        PodResources.total(spec, "requests").forEach((name, amount) -> {
            usage.put("requests." + name, amount);
            if (COMPUTE.contains(name) || name.startsWith("hugepages-")) {
                usage.put(name, amount);
            }
        });
        PodResources.total(spec, "limits").forEach((name, amount) -> usage.put("limits." + name, amount));
    }

    private static void service(Map<String, String> usage, JsonNode spec) {
        boolean isBalancer = Json.text(spec, "type").equals("LoadBalancer");
        boolean allocates = spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
        long ports = Json.items(spec, "ports").stream()
                .filter(port -> !isBalancer || allocates || port.has("nodePort"))
                .count();
        boolean hasPorts = isBalancer || Json.text(spec, "type").equals("NodePort");
        usage.put("services", "1");
        usage.put("services.loadbalancers", isBalancer ? "1" : "0");
        usage.put("services.nodeports", hasPorts ? Long.toString(ports) : "0");
    }

    private static void claim(Map<String, String> usage, JsonNode claim) {
        String old = Json.text(claim, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        String storageClass = old.isEmpty() ? Json.text(claim, "spec", "storageClassName") : old;
        String amount = Json.text(claim, "spec", "resources", "requests", "storage");
        for (String prefix : List.of("", storageClass + ".storageclass.storage.k8s.io/")) {
            usage.put(prefix + "persistentvolumeclaims", "1");
            usage.put(prefix + "requests.storage", amount.isEmpty() ? "0" : amount);
        }
    }

    /** Return the resources that a quota limits and a container of a pod does not name; empty if there are none. */
    static Set<String> unnamed(ResourceId id, JsonNode object, JsonNode quota) {
        Set<String> unnamed = new TreeSet<>();
        boolean isWhole = Json.at(object, "spec", "resources") != null;
        if (id.equals(PODS) && !isWhole && isInScope(id, object, quota)) {
            Set<String> required =
                    new TreeSet<>(Json.stringMap(quota, "status", "hard").keySet());
            required.retainAll(REQUIRED);
            for (JsonNode container : PodResources.containers(object.path("spec"))) {
                for (String name : required) {
                    String part = name.startsWith("limits.") ? "limits" : "requests";
                    String resource = name.substring(name.indexOf('.') + 1);
                    if (Json.at(container, "resources", part, resource) == null) {
                        unnamed.add(name);
                    }
                }
            }
        }
        return unnamed;
    }

    /** Return whether an object has the properties that a quota asks for; only pods have any. */
    private static boolean isInScope(ResourceId id, JsonNode object, JsonNode quota) {
        ObjectNode selector = Json.object();
        ArrayNode wanted = selector.putArray("matchExpressions");
        Json.texts(quota, "spec", "scopes")
                .forEach(scope -> wanted.addObject().put("key", scope).put("operator", "Exists"));
        Json.items(quota, "spec", "scopeSelector", "matchExpressions")
                .forEach(each -> wanted.addObject()
                        .put("key", Json.text(each, "scopeName"))
                        .put("operator", Json.text(each, "operator"))
                        .set("values", each.path("values")));
        if (wanted.isEmpty() || !id.equals(PODS)) {
            return wanted.isEmpty();
        }
        Map<String, String> scopes = new TreeMap<>();
        boolean ends = Json.at(object, "spec", "activeDeadlineSeconds") != null;
        scopes.put(ends ? "Terminating" : "NotTerminating", "");
        scopes.put(BuiltInDefaults.qosClass(object).equals("BestEffort") ? "BestEffort" : "NotBestEffort", "");
        String priority = Json.text(object, "spec", "priorityClassName");
        if (!priority.isEmpty()) {
            scopes.put("PriorityClass", priority);
        }
        return LabelSelector.of(selector).test(scopes);
    }
}
