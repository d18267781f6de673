package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** The fields of a strategic merge patch that say how to merge instead of being merged. */
final class PatchDirectives {

    static final String MARKER = "$patch";
    static final String RETAIN_KEYS = "$retainKeys";
    static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";
    static final String ELEMENT_ORDER = "$setElementOrder";
    static final String REPLACE = "replace";
    static final String DELETE = "delete";
    static final String MERGE = "merge";

    private PatchDirectives() {}

    /** Carries out {@code $patch} of a map: replace it by the rest of the patch, or by nothing. */
    static ObjectNode wholeMap(JsonNode directive, ObjectNode patch) {
        if (directive.asText().equals(REPLACE)) {
            patch.remove(MARKER);
            return patch;
        }
        if (directive.asText().equals(DELETE)) {
            return patch.objectNode();
        }
        throw badPatchType(directive, patch);
    }

    static StatusException badPatchType(JsonNode directive, JsonNode map) {
        String type = directive.isTextual()
                ? directive.asText()
                : "%!s(" + Trees.jsonType(directive) + "=" + String.valueOf(directive) + ")";
        return StatusException.unclassified("unknown patch type: " + type + " in map: " + String.valueOf(map));
    }

    /** Carries out {@code $retainKeys}: removes from the original what the list does not name. */
    static void retainKeys(ObjectNode original, ObjectNode patch) {
        JsonNode directive = patch.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!directive.isArray()) {
            throw StatusException.badRequest("invalid patch format of retainKeys");
        }
        Set<String> retained = new HashSet<>();
        directive.forEach(name -> retained.add(name.asText()));
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            boolean isDirective = name.startsWith(DELETE_FROM_LIST) || name.startsWith(ELEMENT_ORDER);
            if (!field.getValue().isNull() && !isDirective && !retained.contains(name)) {
                throw StatusException.badRequest("invalid patch format of retainKeys");
            }
        }
        original.retain(retained);
    }

    /** Returns the list that {@code $deleteFromPrimitiveList/finalizers} is about. */
    static String listName(String directive) {
        if (!directive.startsWith(DELETE_FROM_LIST + "/")) {
            throw StatusException.badRequest("invalid patch format of primitive list");
        }
        return directive.substring(DELETE_FROM_LIST.length() + 1);
    }

    /** Returns the list that {@code $setElementOrder/containers} is about. */
    static String orderedListName(String directive) {
        if (!directive.startsWith(ELEMENT_ORDER + "/")) {
            throw StatusException.badRequest("invalid patch format of setElementOrder list");
        }
        return directive.substring(ELEMENT_ORDER.length() + 1);
    }

    /** Removes null fields at any depth. */
    static void discardNulls(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        value.forEach(PatchDirectives::discardNulls);
    }

    /** Removes maps with a {@code $patch} directive from a new value; false if the value itself is one. */
    static boolean strip(JsonNode value) {
        if (value instanceof ObjectNode object) {
            if (object.has(MARKER)) {
                return false;
            }
            object.properties().removeIf(field -> !strip(field.getValue()));
        } else if (value instanceof ArrayNode list) {
            for (Iterator<JsonNode> items = list.iterator(); items.hasNext(); ) {
                if (!strip(items.next())) {
                    items.remove();
                }
            }
        }
        return true;
    }
}
