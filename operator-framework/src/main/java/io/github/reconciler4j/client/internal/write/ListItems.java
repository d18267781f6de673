package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The items of a list before and after a change, and those of the list that is to be changed in the same way. Items that have
 * one of the keys that lists of Kubernetes usually have, each another one, belong together if their keys are equal. Others do if
 * they are equal; those that were changed, if they are in the same place.
 */
final class ListItems {

    /** Names of fields that together identify an item, in the order in which they are tried. The first one must be there. */
    private static final List<List<String>> KEYS = List.of(
            List.of("name"),
            List.of("type"),
            List.of("key"),
            List.of("id"),
            List.of("uid"),
            List.of("containerPort", "protocol"),
            List.of("port", "protocol"),
            List.of("mountPath"),
            List.of("devicePath"),
            List.of("topologyKey", "whenUnsatisfiable"),
            List.of("ip"));

    /** The most pairs that are compared one by one. */
    private static final int MAX_PAIRS = 250_000;

    private final List<JsonNode> before;
    private final List<JsonNode> after;
    private final List<Item> current;
    private final boolean ordered;
    private final @Nullable List<String> key;
    private final int[] origins;
    private final int[] places;
    private final Set<Integer> others;

    /**
     * An item of the list to change.
     *
     * @param typed as the class of the object writes it; null if that leaves it out
     * @param raw as the server has it
     */
    record Item(@Nullable JsonNode typed, JsonNode raw) {

        JsonNode typedOrMissing() {
            return typed == null ? MissingNode.getInstance() : typed;
        }
    }

    private ListItems(List<JsonNode> before, List<JsonNode> after, JsonNode now, JsonNode raw) {
        this.before = before;
        this.after = after;
        int[] typedOf = align(items(raw), items(now));
        this.current = typedOf.length == 0 ? alike(now) : join(raw, now, typedOf);
        this.ordered = isIncreasing(typedOf);
        List<JsonNode> typed = current.stream().map(Item::typedOrMissing).toList();
        this.key = KEYS.stream()
                .filter(names -> isKey(names, before) && isKey(names, after) && isKey(names, items(now)))
                .findFirst()
                .orElse(null);
        this.origins = key != null ? byKey(after, before) : originsByValue();
        this.places = before.equals(typed)
                ? identity(before.size())
                : key != null ? byKey(before, typed) : equal(before, typed);
        this.others = findOthers();
    }

    /** Find what belongs together. */
    static ListItems of(JsonNode before, JsonNode after, JsonNode now, JsonNode raw) {
        return new ListItems(items(before), items(after), now, raw);
    }

    private static List<JsonNode> items(JsonNode list) {
        List<JsonNode> items = new ArrayList<>(list.size());
        list.forEach(items::add);
        return items;
    }

    List<JsonNode> before() {
        return before;
    }

    List<JsonNode> after() {
        return after;
    }

    /** Return the list to change. */
    List<Item> current() {
        return current;
    }

    /** Return whether the class keeps the order of the list, so that another order is a change. */
    boolean isOrdered() {
        return ordered;
    }

    /** Return the index in {@code before} of each item of {@code after}, -1 for a new one. */
    int[] origins() {
        return origins;
    }

    /** Return the index in {@code current} of each item of {@code before}, -1 if it is gone. */
    int[] places() {
        return places;
    }

    /** Return the indices in {@code current} of what the caller does not know, in order. */
    Set<Integer> others() {
        return others;
    }

    /** Return which of the items of others is the same as a new one; -1 if none is. */
    int addedByOthers(JsonNode item, Set<Integer> used) {
        for (int i : others) {
            JsonNode typed = current.get(i).typedOrMissing();
            boolean same =
                    key != null && typed.isObject() ? keyOf(key, typed).equals(keyOf(key, item)) : typed.equals(item);
            if (same && !used.contains(i)) {
                return i;
            }
        }
        return -1;
    }

    private Set<Integer> findOthers() {
        Set<Integer> found = new LinkedHashSet<>();
        for (int i = 0; i < current.size(); i++) {
            found.add(i);
        }
        Arrays.stream(places).forEach(found::remove);
        return found;
    }

    private static boolean isKey(List<String> names, List<JsonNode> items) {
        Set<List<String>> seen = new HashSet<>();
        for (JsonNode item : items) {
            JsonNode first = item.path(names.get(0));
            if (!first.isValueNode() || first.isNull() || !seen.add(keyOf(names, item))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> keyOf(List<String> names, JsonNode item) {
        return names.stream().map(name -> item.path(name).asText("")).toList();
    }

    private int[] byKey(List<JsonNode> of, List<JsonNode> in) {
        List<String> names = Objects.requireNonNull(key);
        Map<List<String>, Integer> index = new HashMap<>();
        for (int i = 0; i < in.size(); i++) {
            if (in.get(i).isObject()) {
                index.put(keyOf(names, in.get(i)), i);
            }
        }
        return of.stream()
                .mapToInt(item -> index.getOrDefault(keyOf(names, item), -1))
                .toArray();
    }

    private static int[] identity(int size) {
        int[] identity = new int[size];
        Arrays.setAll(identity, i -> i);
        return identity;
    }

    /** Return the index of an equal item for each item, each index once, and the same one if possible. */
    private static int[] equal(List<JsonNode> of, List<JsonNode> in) {
        int[] found = new int[of.size()];
        Arrays.fill(found, -1);
        Map<JsonNode, Deque<Integer>> left = new HashMap<>();
        for (int i = 0; i < in.size(); i++) {
            if (i < of.size() && of.get(i).equals(in.get(i))) {
                found[i] = i;
            } else {
                left.computeIfAbsent(in.get(i), item -> new ArrayDeque<>()).add(i);
            }
        }
        for (int i = 0; i < of.size(); i++) {
            Deque<Integer> candidates = found[i] < 0 ? left.get(of.get(i)) : null;
            if (candidates != null && !candidates.isEmpty()) {
                found[i] = candidates.remove();
            }
        }
        return found;
    }

    private int[] originsByValue() {
        int[] found = equal(after, before);
        Map<Integer, List<Integer>> changed = gaps(found);
        int[] origins = found.clone();
        gapsOfBefore(found).forEach((gap, old) -> {
            List<Integer> now = changed.getOrDefault(gap, List.of());
            for (int i = 0; now.size() == old.size() && i < now.size(); i++) {
                pair(origins, now.get(i), old.get(i));
            }
        });
        pairSimilar(origins);
        return origins;
    }

    /** Return the items that were not found, by what was found for the item that they follow. */
    private static Map<Integer, List<Integer>> gaps(int[] found) {
        Map<Integer, List<Integer>> gaps = new HashMap<>();
        int previous = -1;
        for (int i = 0; i < found.length; i++) {
            if (found[i] >= 0) {
                previous = found[i];
            } else {
                gaps.computeIfAbsent(previous, gap -> new ArrayList<>()).add(i);
            }
        }
        return gaps;
    }

    /** Return the items before that are not found after, by the item that they follow. */
    private Map<Integer, List<Integer>> gapsOfBefore(int[] found) {
        int[] own = new int[before.size()];
        Arrays.fill(own, -1);
        for (int origin : found) {
            if (origin >= 0) {
                own[origin] = origin;
            }
        }
        return gaps(own);
    }

    /** Note that an item was changed. What is no object or list has nothing to keep. */
    private void pair(int[] origins, int item, int origin) {
        JsonNode wanted = after.get(item);
        JsonNode old = before.get(origin);
        if (wanted.isContainerNode() && wanted.getNodeType() == old.getNodeType()) {
            origins[item] = origin;
        }
    }

    /** Pair what is left with the first item of which it has kept at least half. */
    private void pairSimilar(int[] origins) {
        Set<Integer> taken = new HashSet<>();
        Arrays.stream(origins).forEach(taken::add);
        long open = Arrays.stream(origins).filter(origin -> origin < 0).count();
        if (open * before.size() > MAX_PAIRS) {
            return;
        }
        for (int i = 0; i < origins.length; i++) {
            for (int j = 0; origins[i] < 0 && j < before.size(); j++) {
                if (!taken.contains(j) && isSimilar(before.get(j), after.get(i))) {
                    origins[i] = j;
                    taken.add(j);
                }
            }
        }
    }

    private static boolean isSimilar(JsonNode one, JsonNode other) {
        if (!one.isObject() || !other.isObject()) {
            return false;
        }
        long equal = one.properties().stream()
                .filter(member -> member.getValue().equals(other.get(member.getKey())))
                .count();
        return equal > 0 && equal * 2 >= Math.max(one.size(), other.size());
    }

    /**
     * Return the index of the typed form of each raw item, -1 if it has none. Usually it is the same. A class that uses a set has
     * another order, and one that reads into its own form can leave items out.
     *
     * @return empty if the items cannot be matched
     */
    private static int[] align(List<JsonNode> raw, List<JsonNode> typed) {
        boolean same = raw.size() == typed.size();
        boolean equal = same;
        for (int i = 0; equal && i < raw.size(); i++) {
            equal = isFormOf(typed.get(i), raw.get(i));
        }
        if (equal) {
            return identity(raw.size());
        }
        int[] found = new int[raw.size()];
        Arrays.fill(found, -1);
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; (long) raw.size() * typed.size() <= MAX_PAIRS && i < raw.size(); i++) {
            for (int j = 0; found[i] < 0 && j < typed.size(); j++) {
                if (!taken.contains(j) && isFormOf(typed.get(j), raw.get(i))) {
                    found[i] = j;
                    taken.add(j);
                }
            }
        }
        if (taken.size() == typed.size()) {
            return found;
        }
        return same ? identity(raw.size()) : new int[0]; // the class writes the values in another form
    }

    /** Return whether a class can have written a value; it may leave members out and add others. */
    private static boolean isFormOf(JsonNode typed, JsonNode raw) {
        if (typed.isObject() && raw.isObject()) {
            return typed.properties().stream()
                    .allMatch(member ->
                            !raw.has(member.getKey()) || isFormOf(member.getValue(), raw.get(member.getKey())));
        }
        if (typed.isArray() && raw.isArray()) {
            return typed.size() == raw.size();
        }
        if (typed.isNumber() && raw.isNumber()) {
            return typed.decimalValue().compareTo(raw.decimalValue()) == 0;
        }
        return typed.isValueNode() && raw.isValueNode() && typed.asText().equals(raw.asText());
    }

    private static List<Item> alike(JsonNode now) {
        return items(now).stream().map(item -> new Item(item, item)).toList();
    }

    private static List<Item> join(JsonNode raw, JsonNode now, int[] typedOf) {
        List<Item> joined = new ArrayList<>(typedOf.length);
        for (int i = 0; i < typedOf.length; i++) {
            joined.add(new Item(typedOf[i] < 0 ? null : now.get(typedOf[i]), raw.get(i)));
        }
        return joined;
    }

    private static boolean isIncreasing(int[] indices) {
        int last = -1;
        for (int index : indices) {
            if (index >= 0 && index < last) {
                return false;
            }
            last = Math.max(last, index);
        }
        return true;
    }
}
