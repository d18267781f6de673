package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes between two trees to a third one. A class does not know all fields of an object, and decoding and
 * encoding alone changes the notation of some. So the changes of user code are the differences between the decoded object
 * before and after, and only these are applied to the object as it was received.
 *
 * <p>Elements of lists are matched by equality first, then by a field that identifies them, such as {@code name}, then by
 * position between their matched neighbors. A matched element keeps its unknown fields. The time grows with the size of the trees,
 * and no faster than n log n.
 */
final class TreeMerge {

    /** The fields that identify the elements of lists in the Kubernetes API, the most specific first. */
    private static final List<String> IDENTITIES = List.of(
            "uid", "name", "key", "type", "mountPath", "devicePath", "containerPort", "port", "ip", "topologyKey");

    private static final int NONE = -1;

    private final TreeIds ids;
    private final CallWorkers work;

    private TreeMerge(CallWorkers work) {
        this.work = work;
        this.ids = new TreeIds(work);
    }

    /**
     * Return {@code raw} with the changes from {@code before} to {@code after}. The result shares subtrees with both, so none of them
     * must be changed afterwards.
     *
     * @param raw the object as received
     * @param before what decoding and encoding made of it
     * @param after the encoded object after user code changed it
     */
    static JsonNode apply(JsonNode raw, JsonNode before, JsonNode after, CallWorkers work) {
        return new TreeMerge(work).apply(raw, before, after);
    }

    private JsonNode apply(JsonNode raw, JsonNode before, JsonNode after) {
        if (ids.same(before, after)) {
            return raw;
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
        return after;
    }

    private ObjectNode applyObject(ObjectNode raw, ObjectNode before, ObjectNode after) {
        work.count(raw.size() + before.size() + after.size());
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.setAll(raw);
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            JsonNode old = before.get(name);
            JsonNode changed = after.get(name);
            if (changed == null) {
                result.remove(name);
            } else if (old == null || !ids.same(changed, old)) {
                JsonNode received = raw.get(name);
                result.set(name, old == null || received == null ? changed : apply(received, old, changed));
            }
        }
        return result;
    }

    private ArrayNode applyArray(ArrayNode raw, ArrayNode before, ArrayNode after) {
        int[] matches = match(before, after);
        ArrayNode result = JsonNodeFactory.instance.arrayNode(after.size());
        for (int i = 0; i < after.size(); i++) {
            int match = matches[i];
            result.add(match == NONE ? after.get(i) : apply(raw.get(match), before.get(match), after.get(i)));
        }
        return result;
    }

    /** Return for each element of {@code after} the index of its element in {@code before}. */
    private int[] match(ArrayNode before, ArrayNode after) {
        int[] matches = new int[after.size()];
        Arrays.fill(matches, NONE);
        boolean[] used = new boolean[before.size()];
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            if (ids.same(after.get(i), before.get(i))) {
                matches[i] = i;
                used[i] = true;
            }
        }
        matchFirst(before, after, matches, used, ids::of);
        String identity = identity(before, after);
        if (identity != null) {
            matchFirst(before, after, matches, used, element -> ids.of(element.get(identity)));
        } else {
            matchPositions(before, after, matches, used);
        }
        return matches;
    }

    /** Matches each element with the first one that is left and has the same key. */
    private void matchFirst(
            ArrayNode before, ArrayNode after, int[] matches, boolean[] used, ToIntFunction<JsonNode> key) {
        work.count(before.size() + after.size());
        Map<Integer, Deque<Integer>> left = new HashMap<>();
        for (int j = 0; j < before.size(); j++) {
            if (!used[j]) {
                left.computeIfAbsent(key.applyAsInt(before.get(j)), id -> new ArrayDeque<>(1))
                        .add(j);
            }
        }
        for (int i = 0; i < after.size(); i++) {
            if (matches[i] == NONE) {
                Deque<Integer> same = left.get(key.applyAsInt(after.get(i)));
                if (same != null && !same.isEmpty()) {
                    matches[i] = same.remove();
                    used[matches[i]] = true;
                }
            }
        }
    }

    /** Return the field that all elements of both lists have with different values, or null. */
    private @Nullable String identity(ArrayNode before, ArrayNode after) {
        return IDENTITIES.stream()
                .filter(field -> identifies(before, field) && identifies(after, field))
                .findFirst()
                .orElse(null);
    }

    private boolean identifies(ArrayNode list, String field) {
        Set<Integer> values = new HashSet<>();
        for (JsonNode element : list) {
            work.count(1);
            JsonNode value = element.get(field);
            if (value == null || !value.isValueNode() || !values.add(ids.of(value))) {
                return false;
            }
        }
        return true;
    }

    /** Matches the gaps between equal elements that are of the same length on both sides. */
    private void matchPositions(ArrayNode before, ArrayNode after, int[] matches, boolean[] used) {
        work.count(before.size() + after.size());
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
