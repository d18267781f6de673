package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a pod requests, and what limits it. Stateless; safe for use by multiple threads. */
final class PodResources {
    private PodResources() {}

    /** Return the containers of the spec of a pod, and those that run before them. */
    static List<JsonNode> containers(JsonNode spec) {
        List<JsonNode> containers = new ArrayList<>(Json.items(spec, "containers"));
        containers.addAll(Json.items(spec, "initContainers"));
        return containers;
    }

    /**
     * Return the amounts of a pod, by resource: what its containers need together, or what it needs before they start.
     *
     * @param part {@code requests} or {@code limits}
     */
    static Map<String, String> total(JsonNode spec, String part) {
        Map<String, String> total = new TreeMap<>();
        Json.items(spec, "containers").forEach(each -> add(total, amounts(each, part)));
        Map<String, String> sidecars = new TreeMap<>();
        Map<String, String> start = new TreeMap<>();
        for (JsonNode each : Json.items(spec, "initContainers")) {
            Map<String, String> now = new TreeMap<>(sidecars);
            add(now, amounts(each, part));
            if (Json.text(each, "restartPolicy").equals("Always")) {
                add(total, amounts(each, part));
                sidecars = now;
            }
            now.forEach((name, amount) -> start.merge(name, amount, PodResources::max));
        }
        start.forEach((name, amount) -> total.merge(name, amount, PodResources::max));
        amounts(spec, part).forEach((name, amount) -> {
            if (name.equals("cpu") || name.equals("memory")) {
                total.put(name, amount);
            }
        });
        return total;
    }

    private static String max(String one, String other) {
        return Quantities.compare(one, other) < 0 ? other : one;
    }

    private static Map<String, String> amounts(JsonNode holder, String part) {
        return Json.stringMap(holder, "resources", part);
    }

    static void add(Map<String, String> to, Map<String, String> amounts) {
        amounts.forEach((name, amount) -> to.merge(name, amount, Quantities::sum));
    }
}
