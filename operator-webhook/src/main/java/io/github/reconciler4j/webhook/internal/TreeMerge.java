package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes between two trees to a third one. A class does not know all fields of an object, and decoding and
 * encoding alone changes the notation of some. So the changes of user code are the differences between the decoded object
 * before and after, and only these are applied to the object as it was received.
 *
 * <p>Elements of lists are matched by equality first, then by a field that identifies them, such as {@code name}, then by
 * position between their matched neighbors. A matched element keeps its unknown fields.
 */
final class TreeMerge {

    /** The fields that identify the elements of lists in the Kubernetes API, the most specific first. */
    private static final List<String> IDENTITIES = List.of(
            "uid", "name", "key", "type", "mountPath", "devicePath", "containerPort", "port", "ip", "topologyKey");

    private static final int NONE = -1;

    private TreeMerge() {}

    /**
     * Return a copy of {@code raw} with the changes from {@code before} to {@code after}.
     *
     * @param raw the object as received
     * @param before what decoding and encoding made of it
     * @param after the encoded object after user code changed it
     */
    static JsonNode apply(JsonNode raw, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return raw.deepCopy();
        }
        if (raw instanceof ObjectNode rawObject
                && before instanceof ObjectNode beforeObject
                && after instanceof ObjectNode afterObject) {
            return applyObject(rawObject, beforeObject, afterObject);
        }
        if (raw instanceof ArrayNode rawArray
                && before instanceof ArrayNode beforeArray
                && after instanceof ArrayNode afterArray
                && rawArray.size() == beforeArray.size()) {
            return applyArray(rawArray, beforeArray, afterArray);
        }
        return after.deepCopy();
    }

    private static ObjectNode applyObject(ObjectNode raw, ObjectNode before, ObjectNode after) {
        ObjectNode result = raw.deepCopy();
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            JsonNode old = before.get(name);
            JsonNode changed = after.get(name);
            if (changed == null) {
                result.remove(name);
            } else if (!changed.equals(old)) {
                JsonNode received = raw.get(name);
                result.set(name, old == null || received == null ? changed.deepCopy() : apply(received, old, changed));
            }
        }
        return result;
    }

    private static ArrayNode applyArray(ArrayNode raw, ArrayNode before, ArrayNode after) {
        int[] matches = match(before, after);
        ArrayNode result = JsonNodeFactory.instance.arrayNode(after.size());
        for (int i = 0; i < after.size(); i++) {
            int match = matches[i];
            result.add(
                    match == NONE ? after.get(i).deepCopy() : apply(raw.get(match), before.get(match), after.get(i)));
        }
        return result;
    }

    /** Return for each element of {@code after} the index of its element in {@code before}. */
    private static int[] match(ArrayNode before, ArrayNode after) {
        int[] matches = new int[after.size()];
        Arrays.fill(matches, NONE);
        boolean[] used = new boolean[before.size()];
        matchEqual(before, after, matches, used);
        String identity = identity(before, after);
        if (identity != null) {
            matchIdentical(before, after, matches, used, identity);
        } else {
            matchPositions(before, after, matches, used);
        }
        return matches;
    }

    private static void matchEqual(ArrayNode before, ArrayNode after, int[] matches, boolean[] used) {
        for (int i = 0; i < after.size(); i++) {
            if (i < before.size() && after.get(i).equals(before.get(i))) {
                matches[i] = i;
                used[i] = true;
            }
        }
        for (int i = 0; i < after.size(); i++) {
            for (int j = 0; j < before.size() && matches[i] == NONE; j++) {
                if (!used[j] && after.get(i).equals(before.get(j))) {
                    matches[i] = j;
                    used[j] = true;
                }
            }
        }
    }

    /** Return the field that all elements of both lists have with different values, or null. */
    private static @Nullable String identity(ArrayNode before, ArrayNode after) {
        return IDENTITIES.stream()
                .filter(field -> identifies(before, field) && identifies(after, field))
                .findFirst()
                .orElse(null);
    }

    private static boolean identifies(ArrayNode list, String field) {
        Set<JsonNode> values = new LinkedHashSet<>();
        for (JsonNode element : list) {
            JsonNode value = element.get(field);
            if (value == null || !value.isValueNode() || !values.add(value)) {
                return false;
            }
        }
        return true;
    }

    private static void matchIdentical(
            ArrayNode before, ArrayNode after, int[] matches, boolean[] used, String identity) {
        for (int i = 0; i < after.size(); i++) {
            for (int j = 0; j < before.size() && matches[i] == NONE; j++) {
                if (!used[j] && after.get(i).get(identity).equals(before.get(j).get(identity))) {
                    matches[i] = j;
                    used[j] = true;
                }
            }
        }
    }

    /** Matches the gaps between equal elements that are of the same length on both sides. */
    private static void matchPositions(ArrayNode before, ArrayNode after, int[] matches, boolean[] used) {
        int start = 0;
        while (start < after.size()) {
            if (matches[start] != NONE) {
                start++;
                continue;
            }
            int end = start;
            while (end < after.size() && matches[end] == NONE) {
                end++;
            }
            List<Integer> gap = gapAfter(start == 0 ? NONE : matches[start - 1], before.size(), used);
            if (gap.size() == end - start) {
                for (int i = start; i < end; i++) {
                    matches[i] = gap.get(i - start);
                    used[gap.get(i - start)] = true;
                }
            }
            start = end;
        }
    }

    private static List<Integer> gapAfter(int index, int size, boolean[] used) {
        List<Integer> gap = new ArrayList<>();
        for (int j = index + 1; j < size && !used[j]; j++) {
            gap.add(j);
        }
        return gap;
    }
}
