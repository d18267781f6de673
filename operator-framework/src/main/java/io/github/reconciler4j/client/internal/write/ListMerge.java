package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.internal.write.ListItems.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the change between two states of a list in another state of it. Items that were added, changed or removed are added,
 * changed or removed there; what others have added, or what the class of an item does not know, stays. {@link ListItems} finds
 * the items that belong together. Used once.
 */
final class ListMerge {

    private final List<JsonNode> before;
    private final List<JsonNode> after;
    private final List<Item> current;

    /** The index in {@code before} of each item after the change, -1 for a new one. */
    private final int[] origins;

    /** The index in {@code current} of each item before the change, -1 if it is gone. */
    private final int[] places;

    /** The indices in {@code current} of what the caller does not know. */
    private final Set<Integer> others;

    private final Set<Integer> used = new HashSet<>();
    private final List<Slot> kept = new ArrayList<>();

    /**
     * An item of the result.
     *
     * @param place its index in {@code current}, -1 for a new one
     */
    private record Slot(int place, JsonNode value) {}

    private ListMerge(ListItems items) {
        this.before = items.before();
        this.after = items.after();
        this.current = items.current();
        this.origins = items.origins();
        this.places = items.places();
        this.others = items.others();
    }

    /**
     * Return the list after the change.
     *
     * @param now the list to change, as the class of the object writes it
     * @param raw the list to change, as the server has it
     */
    static ArrayNode merge(JsonNode before, JsonNode after, JsonNode now, JsonNode raw) {
        ListItems items = ListItems.of(before, after, now, raw);
        ListMerge merge = new ListMerge(items);
        merge.keep(items);
        List<Slot> ordered = items.isOrdered() && merge.isReordered() ? merge.inNewOrder() : merge.inOldOrder();
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        ordered.forEach(slot -> result.add(slot.value));
        return result;
    }

    /** Decide what becomes of each item that the caller wants. */
    private void keep(ListItems items) {
        for (int i = 0; i < after.size(); i++) {
            JsonNode wanted = after.get(i);
            int origin = origins[i];
            JsonNode old = origin < 0 ? MissingNode.getInstance() : before.get(origin);
            int place = origin < 0 ? items.addedByOthers(wanted, used) : places[origin];
            if (place >= 0) {
                used.add(place);
                kept.add(new Slot(place, wanted.equals(old) ? current.get(place).raw() : change(old, wanted, place)));
            } else if (origin < 0
                    || !wanted.equals(old)) { // otherwise others have removed what the caller did not change
                kept.add(new Slot(-1, wanted));
            }
        }
    }

    private JsonNode change(JsonNode old, JsonNode wanted, int place) {
        JsonNode now = current.get(place).typedOrMissing();
        JsonNode raw = current.get(place).raw();
        if (wanted.isObject() && raw instanceof ObjectNode object) {
            return MergeDiff.apply(object.deepCopy(), MergeDiff.between(old, wanted, now, raw));
        }
        boolean lists = old.isArray() && wanted.isArray() && now.isArray() && raw.isArray();
        return lists ? merge(old, wanted, now, raw) : wanted.equals(now) ? raw : wanted;
    }

    private boolean isReordered() {
        int last = -1;
        for (int i = 0; i < after.size(); i++) {
            if (origins[i] >= 0) {
                if (origins[i] < last) {
                    return true;
                }
                last = origins[i];
            }
        }
        return false;
    }

    /** Return the items of others, which the caller does not know. */
    private List<Slot> foreign() {
        return others.stream()
                .filter(place -> !used.contains(place))
                .map(place -> new Slot(place, current.get(place).raw()))
                .toList();
    }

    /** Leave all items in their places and put each new one behind the one that it follows, or else before the next. */
    private List<Slot> inOldOrder() {
        Map<Integer, Slot> byPlace = new HashMap<>();
        kept.forEach(slot -> byPlace.put(slot.place, slot));
        foreign().forEach(slot -> byPlace.put(slot.place, slot));
        List<Slot> ordered = new ArrayList<>();
        for (int i = 0; i < current.size(); i++) {
            Slot slot = byPlace.get(i);
            if (slot != null) {
                ordered.add(slot);
            }
        }
        Slot last = null;
        for (int i = 0; i < kept.size(); i++) {
            Slot slot = kept.get(i);
            if (slot.place < 0) {
                ordered.add(last == null ? first(ordered, i) : indexOf(ordered, last) + 1, slot);
            }
            last = slot;
        }
        return ordered;
    }

    /** Return where a new item goes that follows none. */
    private int first(List<Slot> ordered, int from) {
        for (int i = from; i < kept.size(); i++) {
            if (kept.get(i).place >= 0) {
                return indexOf(ordered, kept.get(i));
            }
        }
        return ordered.size();
    }

    /** Put the items in the order that the caller wants, and each item of others behind the one that it follows. */
    private List<Slot> inNewOrder() {
        List<Slot> ordered = new ArrayList<>(kept);
        for (Slot slot : foreign()) {
            Slot previous = null;
            for (Slot other : ordered) {
                boolean nearer = previous == null || other.place > previous.place;
                previous = other.place >= 0 && other.place < slot.place && nearer ? other : previous;
            }
            ordered.add(previous == null ? 0 : indexOf(ordered, previous) + 1, slot);
        }
        return ordered;
    }

    private static int indexOf(List<Slot> slots, @Nullable Slot slot) {
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i) == slot) {
                return i;
            }
        }
        return slots.size();
    }
}
