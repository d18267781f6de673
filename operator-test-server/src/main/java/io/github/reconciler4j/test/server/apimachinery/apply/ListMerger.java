package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Merges sets and associative lists. ApplyResult items come in the order in which they are applied; live items that are not
 * applied keep their place between those that are. Used by one thread.
 */
final class ListMerger {

    private final TypeSchema type;
    private final List<PathElement> liveOrder = new ArrayList<>();
    private final List<PathElement> appliedOrder = new ArrayList<>();
    private final List<JsonNode> liveItems = new ArrayList<>();
    private final TreeMap<PathElement, JsonNode> live = new TreeMap<>();
    private final TreeMap<PathElement, JsonNode> applied = new TreeMap<>();
    private final Deque<PathElement> shared = new ArrayDeque<>();
    private final TreeSet<PathElement> merged = new TreeSet<>();
    private final ArrayNode out = JsonNodeFactory.instance.arrayNode();
    private int nextLive;
    private int nextApplied;

    private ListMerger(TypeSchema type) {
        this.type = type;
    }

    /** Merges lists that fit the type; null if nothing comes out. */
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
                PathElement element = elementOf(list, item);
                applied.put(element, item);
                appliedOrder.add(element);
            }
        }
        if (liveList != null && liveList.isArray()) {
            for (JsonNode item : liveList) {
                PathElement element = elementOf(list, item);
                // items that are there twice are not merged with what is applied
                live.merge(element, item, (first, second) -> NullNode.getInstance());
                liveOrder.add(element);
                liveItems.add(item);
            }
        }
        appliedOrder.stream().filter(live::containsKey).forEach(shared::add);
    }

    private static PathElement elementOf(ListType list, JsonNode item) {
        try {
            return ListItems.elementOf(list, item);
        } catch (ListItems.UnidentifiedException e) {
            throw new IllegalArgumentException("merged before it was checked", e);
        }
    }

    private void run() {
        while (nextLive < liveOrder.size() || nextApplied < appliedOrder.size()) {
            if (!takeShared()) {
                takeLive();
            }
        }
    }

    /** Takes an item that is next in both lists, or skips a live one that is not the next of the shared ones. */
    private boolean takeShared() {
        if (nextLive == liveOrder.size() || nextApplied == appliedOrder.size()) {
            return false;
        }
        PathElement element = liveOrder.get(nextLive);
        if (element.compareTo(appliedOrder.get(nextApplied)) == 0) {
            takeApplied();
            nextLive++;
            return true;
        }
        PathElement nextShared = shared.peek();
        if (applied.containsKey(element) && nextShared != null && nextShared.compareTo(element) != 0) {
            nextLive++;
            return true;
        }
        return false;
    }

    private void takeLive() {
        if (nextLive < liveOrder.size()) {
            PathElement element = liveOrder.get(nextLive);
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
        PathElement element = appliedOrder.get(nextApplied++);
        merged.add(element);
        PathElement nextShared = shared.peek();
        if (nextShared != null && nextShared.compareTo(element) == 0) {
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
