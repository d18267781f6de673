package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.MapType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merges an applied tree into a live one: what is applied wins, what is not applied stays. */
final class TreeMerger {

    private TreeMerger() {}

    /** Merge trees that fit the type; null if nothing comes out. The result shares nodes with its sources. */
    static @Nullable JsonNode merge(@Nullable JsonNode live, @Nullable JsonNode applied, TypeSchema type) {
        TypeDispatch part = TypeDispatch.of(type, applied == null || applied.isNull() ? live : applied);
        return switch (part) {
            case MAP -> mergeMap(live, applied, Objects.requireNonNull(type.map()));
            case LIST -> ListMerger.merge(live, applied, Objects.requireNonNull(type.list()));
            default -> appliedOrLive(live, applied);
        };
    }

    static @Nullable JsonNode appliedOrLive(@Nullable JsonNode live, @Nullable JsonNode applied) {
        return applied != null ? applied : live;
    }

    private static @Nullable JsonNode mergeMap(@Nullable JsonNode live, @Nullable JsonNode applied, MapType map) {
        if (map.atomic() || (!isFilled(live) && !isFilled(applied))) {
            return appliedOrLive(live, applied);
        }
        Set<String> names = new LinkedHashSet<>();
        if (live != null) {
            live.fieldNames().forEachRemaining(names::add);
        }
        if (applied != null) {
            applied.fieldNames().forEachRemaining(names::add);
        }
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            TypeSchema type = map.typeOf(name);
            JsonNode value = merge(
                    live == null ? null : live.get(name),
                    applied == null ? null : applied.get(name),
                    type == null ? TypeSchema.deduced() : type);
            if (value != null) {
                merged.set(name, value);
            }
        }
        return merged.isEmpty() ? null : merged;
    }

    private static boolean isFilled(@Nullable JsonNode node) {
        return node != null && node.isObject() && !node.isEmpty();
    }

    /**
     * Merges sets and associative lists. ApplyResult items come in the order in which they are applied; live items that are not
     * applied keep their place between those that are. Used by one thread.
     */
    private static final class ListMerger {

        private final TypeSchema type;
        private final List<String> liveOrder = new ArrayList<>();
        private final List<String> appliedOrder = new ArrayList<>();
        private final List<JsonNode> liveItems = new ArrayList<>();
        private final Map<String, JsonNode> live = new LinkedHashMap<>();
        private final Map<String, JsonNode> applied = new LinkedHashMap<>();
        private final Deque<String> shared = new ArrayDeque<>();
        private final Set<String> merged = new HashSet<>();
        private final ArrayNode out = JsonNodeFactory.instance.arrayNode();
        private int nextLive;
        private int nextApplied;

        private ListMerger(TypeSchema type) {
            this.type = type;
        }

        /** Merge lists that fit the type; null if nothing comes out. */
        static @Nullable JsonNode merge(@Nullable JsonNode live, @Nullable JsonNode applied, ListType list) {
            if (list.atomic() || (!isFilled(live) && !isFilled(applied))) {
                return TreeMerger.appliedOrLive(live, applied);
            }
            ListMerger merger = new ListMerger(list.element().get());
            merger.index(list, live, applied);
            merger.run();
            return merger.out.isEmpty() ? null : merger.out;
        }

        private static boolean isFilled(@Nullable JsonNode node) {
            return node != null && node.isArray() && !node.isEmpty();
        }

        private void index(ListType list, @Nullable JsonNode liveList, @Nullable JsonNode appliedList) {
            if (appliedList != null && appliedList.isArray()) {
                for (JsonNode item : appliedList) {
                    String element = elementOf(list, item);
                    applied.put(element, item);
                    appliedOrder.add(element);
                }
            }
            if (liveList != null && liveList.isArray()) {
                for (JsonNode item : liveList) {
                    String element = elementOf(list, item);
                    // items that are there twice are not merged with what is applied
                    live.merge(element, item, (first, second) -> NullNode.getInstance());
                    liveOrder.add(element);
                    liveItems.add(item);
                }
            }
            appliedOrder.stream().filter(live::containsKey).forEach(shared::add);
        }

        private static String elementOf(ListType list, JsonNode item) {
            return Objects.requireNonNull(FieldPath.item(list, item));
        }

        private void run() {
            while (nextLive < liveOrder.size() || nextApplied < appliedOrder.size()) {
                if (!takeShared()) {
                    takeLive();
                }
            }
        }

        /** Take an item that is next in both lists, or skips a live one that is not the next of the shared ones. */
        private boolean takeShared() {
            if (nextLive == liveOrder.size() || nextApplied == appliedOrder.size()) {
                return false;
            }
            String element = liveOrder.get(nextLive);
            if (element.equals(appliedOrder.get(nextApplied))) {
                takeApplied();
                nextLive++;
                return true;
            }
            String nextShared = shared.peek();
            if (applied.containsKey(element) && nextShared != null && !nextShared.equals(element)) {
                nextLive++;
                return true;
            }
            return false;
        }

        private void takeLive() {
            if (nextLive < liveOrder.size()) {
                String element = liveOrder.get(nextLive);
                if (!applied.containsKey(element)) {
                    add(TreeMerger.merge(liveItems.get(nextLive), null, type));
                    nextLive++;
                    return;
                }
                if (merged.contains(element)) {
                    nextLive++;
                }
            }
            if (nextApplied < appliedOrder.size()) {
                takeApplied();
            }
        }

        private void takeApplied() {
            String element = appliedOrder.get(nextApplied++);
            merged.add(element);
            String nextShared = shared.peek();
            if (nextShared != null && nextShared.equals(element)) {
                shared.poll();
            }
            add(TreeMerger.merge(live.get(element), applied.get(element), type));
        }

        private void add(@Nullable JsonNode item) {
            if (item != null) {
                out.add(item);
            }
        }
    }
}
