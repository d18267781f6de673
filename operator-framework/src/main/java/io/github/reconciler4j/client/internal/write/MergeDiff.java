package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Computes JSON merge patches (RFC 7386). */
final class MergeDiff {

    private MergeDiff() {}

    /** Return the merge patch that turns one object into another; empty if they are equal. */
    static ObjectNode between(JsonNode before, JsonNode after) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode old = before.get(field.getKey());
            JsonNode now = field.getValue();
            if (old == null) {
                patch.set(field.getKey(), now);
            } else if (old.isObject() && now.isObject()) {
                ObjectNode inner = between(old, now);
                if (!inner.isEmpty()) {
                    patch.set(field.getKey(), inner);
                }
            } else if (!old.equals(now)) {
                patch.set(field.getKey(), now);
            }
        }
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            if (!after.has(field.getKey())) {
                patch.putNull(field.getKey());
            }
        }
        return patch;
    }
}
