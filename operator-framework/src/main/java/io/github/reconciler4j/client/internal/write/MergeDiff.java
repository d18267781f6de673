package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes JSON merge patches (RFC 7386), and carries them out. */
final class MergeDiff {

    private MergeDiff() {}

    /** Return the merge patch that turns one object into another, with lists as a whole; empty if they are equal. */
    static ObjectNode between(JsonNode before, JsonNode after) {
        return between(before, after, MissingNode.getInstance(), MissingNode.getInstance());
    }

    /**
     * Return the merge patch that makes the change between two states of an object in another state of it; see
     * {@link ListMerge} for lists.
     *
     * @param now the state to change, as the class of the object writes it
     * @param raw the state to change, as the server has it
     */
    static ObjectNode between(JsonNode before, JsonNode after, JsonNode now, JsonNode raw) {
        return ObjectCodec.withoutOverflow(() -> differences(before, after, now, raw));
    }

    private static ObjectNode differences(JsonNode before, JsonNode after, JsonNode now, JsonNode raw) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            String name = field.getKey();
            compare(patch, name, before.get(name), field.getValue(), now.path(name), raw.path(name));
        }
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            String name = field.getKey();
            if (!after.has(name)) {
                compare(patch, name, field.getValue(), null, now.path(name), raw.path(name));
            }
        }
        return patch;
    }

    private static void compare(
            ObjectNode patch,
            String name,
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            JsonNode now,
            JsonNode raw) {
        if (after != null && after.equals(before)) {
            return;
        }
        JsonNode old = orMissing(before);
        JsonNode wanted = orMissing(after);
        boolean lists = isListOrMissing(old) && isListOrMissing(wanted);
        if (lists && now.isArray() && raw.isArray()) {
            ArrayNode merged = ListMerge.merge(old, wanted, now, raw);
            if (merged.isEmpty() && wanted.isMissingNode()) {
                patch.putNull(name);
            } else if (!merged.equals(raw)) {
                patch.set(name, merged);
            }
        } else if (wanted.isMissingNode()) {
            patch.putNull(name);
        } else if (wanted.isObject() && (old.isObject() || old.isMissingNode())) {
            ObjectNode inner = differences(old, wanted, now, raw);
            if (!inner.isEmpty() || old.isMissingNode() && !raw.isObject()) {
                patch.set(name, inner);
            }
        } else {
            patch.set(name, wanted);
        }
    }

    private static JsonNode orMissing(@Nullable JsonNode node) {
        return node == null || node.isNull() ? MissingNode.getInstance() : node;
    }

    private static boolean isListOrMissing(JsonNode node) {
        return node.isArray() || node.isMissingNode();
    }

    /** Return whether a list differs in two states, other than by the removal of what contains it. */
    static boolean changesList(JsonNode before, JsonNode after) {
        return ObjectCodec.withoutOverflow(() -> hasOtherList(before, after));
    }

    private static boolean hasOtherList(JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return false;
        }
        if (!after.isObject() || !(before.isObject() || before.isMissingNode() || before.isNull())) {
            return after.isArray() || before.isArray();
        }
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            if (hasOtherList(before.path(field.getKey()), field.getValue())) {
                return true;
            }
        }
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            if (!after.has(field.getKey()) && field.getValue().isArray()) {
                return true;
            }
        }
        return false;
    }

    /** Return whether a patch sets a list. */
    static boolean setsList(JsonNode patch) {
        return ObjectCodec.withoutOverflow(() -> hasList(patch));
    }

    private static boolean hasList(JsonNode patch) {
        if (patch.isObject()) {
            for (JsonNode value : patch) {
                if (hasList(value)) {
                    return true;
                }
            }
        }
        return patch.isArray();
    }

    /** Change a tree as a merge patch says, and return it. */
    static ObjectNode apply(ObjectNode target, JsonNode patch) {
        return ObjectCodec.withoutOverflow(() -> changed(target, patch));
    }

    private static ObjectNode changed(ObjectNode target, JsonNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value.isObject()) {
                ObjectNode inner = target.get(field.getKey()) instanceof ObjectNode object
                        ? object
                        : JsonNodeFactory.instance.objectNode();
                target.set(field.getKey(), changed(inner, value));
            } else {
                target.set(field.getKey(), value);
            }
        }
        return target;
    }
}
