package io.github.reconciler4j.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What really happened to an object: compares its states leaf by leaf, independently of what the plan compares with. */
final class ObjectStates {

    private static final Set<String> OF_SERVER = Set.of(
            "managedFields",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "uid",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    private ObjectStates() {}

    /** Return the effect of a write; empty if nothing but the status has changed. */
    static Optional<Effect> effect(Optional<JsonNode> before, Optional<JsonNode> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return before.isEmpty() && after.isEmpty()
                    ? Optional.empty()
                    : Optional.of(before.isEmpty() ? Effect.CREATED : Effect.PRUNED);
        }
        JsonNode metadata = before.get().path("metadata");
        if (!metadata.path("uid").equals(after.get().at("/metadata/uid"))) {
            return Optional.of(Effect.REPLACED);
        }
        if (!metadata.has("deletionTimestamp") && after.get().path("metadata").has("deletionTimestamp")) {
            return Optional.of(Effect.PRUNED);
        }
        return changedLeaves(before.get(), after.get()).isEmpty() ? Optional.empty() : Optional.of(Effect.CHANGED);
    }

    /** Return the paths of the leaves that differ. */
    static Map<String, Change> changedLeaves(JsonNode before, JsonNode after) {
        Map<String, String> old = leaves(before);
        Map<String, String> now = leaves(after);
        Set<String> paths = new TreeSet<>(old.keySet());
        paths.addAll(now.keySet());
        Map<String, Change> changed = new LinkedHashMap<>();
        for (String path : paths) {
            if (!Objects.equals(old.get(path), now.get(path))) {
                changed.put(path, new Change(path, old.getOrDefault(path, ""), now.getOrDefault(path, "")));
            }
        }
        return changed;
    }

    private static Map<String, String> leaves(JsonNode object) {
        ObjectNode essential = object.deepCopy();
        essential.remove(List.of("status"));
        if (essential.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(OF_SERVER);
        }
        Map<String, String> leaves = new TreeMap<>();
        collect("", essential, leaves);
        return leaves;
    }

    private static void collect(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isObject() && !node.isEmpty()) {
            node.properties()
                    .forEach(each -> collect(
                            path.isEmpty() ? each.getKey() : path + "." + each.getKey(), each.getValue(), leaves));
        } else if (node.isArray() && !node.isEmpty()) {
            StringBuilder order = new StringBuilder();
            for (int i = 0; i < node.size(); i++) {
                String name = node.path(i).path("name").asText(Integer.toString(i));
                order.append(name).append(' ');
                collect(path + "[" + name + "]", node.path(i), leaves);
            }
            leaves.put(path + "[]", order.toString());
        } else {
            leaves.put(path, node.toString());
        }
    }

    /** Return whether a field of the plan is a leaf or contains it. */
    static boolean covers(String field, String leaf) {
        return leaf.equals(field) || leaf.startsWith(field + ".") || leaf.startsWith(field + "[");
    }
}
