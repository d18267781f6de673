package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Times;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What keeps a namespace from going, in the words of its conditions. For one thread. */
final class NamespaceConditions {
    /** How many objects of each resource are left, by {@code plural.group}. */
    private final Map<String, Integer> remaining = new TreeMap<>();
    /** How many objects each finalizer holds. */
    private final Map<String, Integer> finalizers = new TreeMap<>();

    void remains(String resource, ObjectNode object) {
        remaining.merge(resource, 1, Integer::sum);
        Json.texts(object, "metadata", "finalizers").forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
    }

    boolean isEmpty() {
        return remaining.isEmpty();
    }

    /** Writes the conditions; those that stay as they are keep their time. */
    void writeTo(ObjectNode namespace, Instant now) {
        ArrayNode before =
                Json.child(namespace, "status").withArray("conditions").deepCopy();
        ArrayNode after = Json.child(namespace, "status").putArray("conditions");
        add(
                after,
                "NamespaceDeletionDiscoveryFailure",
                false,
                "ResourcesDiscovered",
                "All resources successfully discovered");
        add(
                after,
                "NamespaceDeletionGroupVersionParsingFailure",
                false,
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        add(
                after,
                "NamespaceDeletionContentFailure",
                false,
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        content(after);
        holders(after);
        after.forEach(condition -> settleTime((ObjectNode) condition, before, now));
    }

    private void content(ArrayNode conditions) {
        boolean some = !remaining.isEmpty();
        String left = remaining.entrySet().stream()
                .map(entry -> entry.getKey() + " has " + entry.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
        add(
                conditions,
                "NamespaceContentRemaining",
                some,
                some ? "SomeResourcesRemain" : "ContentRemoved",
                some ? "Some resources are remaining: " + left : "All content successfully removed");
    }

    private void holders(ArrayNode conditions) {
        boolean some = !finalizers.isEmpty();
        String left = finalizers.entrySet().stream()
                .map(entry -> entry.getKey() + " in " + entry.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
        add(
                conditions,
                "NamespaceFinalizersRemaining",
                some,
                some ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
                some
                        ? "Some content in the namespace has finalizers remaining: " + left
                        : "All content-preserving finalizers finished");
    }

    private static void add(ArrayNode conditions, String type, boolean status, String reason, String message) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", status ? "True" : "False")
                .put("reason", reason)
                .put("message", message);
    }

    private static void settleTime(ObjectNode condition, ArrayNode before, Instant now) {
        String time = Times.text(now);
        for (var old : before) {
            ObjectNode same = old.deepCopy();
            String oldTime = Json.text(old, "lastTransitionTime");
            same.remove("lastTransitionTime");
            if (Json.same(same, condition)) {
                time = oldTime;
            }
        }
        condition.put("lastTransitionTime", time);
    }
}
