package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The quality of service of a pod, which follows from its requests and limits. */
final class PodQuality {
    private static final Set<String> COUNTED = Set.of("cpu", "memory");

    private PodQuality() {}

    static String of(ObjectNode pod) {
        List<JsonNode> containers = new ArrayList<>(Json.items(pod, "spec", "containers"));
        containers.addAll(Json.items(pod, "spec", "initContainers"));
        boolean any = false;
        boolean all = true;
        for (JsonNode container : containers) {
            JsonNode requests = container.path("resources").path("requests");
            JsonNode limits = container.path("resources").path("limits");
            for (String resource : COUNTED) {
                any |= requests.has(resource) || limits.has(resource);
                all &= limits.has(resource) && Json.same(requests.path(resource), limits.path(resource));
            }
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }
}
