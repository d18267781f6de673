package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.DividedReplica.GainedParts;
import io.github.reconciler4j.cache.internal.DividedServer.State;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of a replica: whether they may follow each other, and are what has happened. */
final class DividedEvents {

    private final DividedReplica replica;
    private final Map<ObjectKey, Delivered> last = new HashMap<>();

    /** The last event of a name, and the gain of its part that was noticed by then; null if it was not held. */
    private record Delivered(
            Change.Type type, Entry entry, @Nullable GainedParts gain) {}

    DividedEvents(DividedReplica replica) {
        this.replica = replica;
    }

    void changed(List<Change> batch) {
        for (Change change : batch) {
            Entry entry = change.entry();
            ObjectKey key = entry.key();
            replica.trace.accept(replica.name + " " + change.type() + " " + key + " "
                    + entry.uid().substring(30) + " at " + entry.resourceVersion());
            Delivered before = last.get(key);
            boolean known = before != null && !isRemoval(before.type);
            if (change.type() == Change.Type.CREATED ? known : !known) {
                replica.require(false, change.type() + " of " + key + " after " + before);
            }
            if (change.isRemoval()) {
                removed(change, before);
            }
            last.put(key, new Delivered(change.type(), entry, noticed(entry)));
        }
        for (Change change : batch) {
            readable(last.get(change.entry().key()));
        }
    }

    private static boolean isRemoval(Change.Type type) {
        return type == Change.Type.DELETED || type == Change.Type.DEPARTED;
    }

    /** Return the state of an entry. A deletion has the last one. */
    private State state(Entry entry) {
        State found = replica.server.find(entry.key(), entry.uid(), entry.resourceVersion());
        return found != null ? found : replica.server.removed(entry.key(), entry.uid());
    }

    /** Return when the part of an entry was gained, as far as the reflector has noticed; null if it is not held. */
    private @Nullable GainedParts noticed(Entry entry) {
        GainedParts gain = replica.gain(replica.cache.part(state(entry)));
        return gain == null || gain.change() > replica.cache.selectedChange() ? null : gain;
    }

    private void removed(Change change, @Nullable Delivered before) {
        Entry entry = change.entry();
        boolean exists = replica.server.exists(entry.key(), entry.uid());
        if (change.type() == Change.Type.DELETED && exists && replica.cache.isFixed()) {
            replica.require(false, entry.key() + " was delivered as deleted and exists");
        }
        GainedParts gain = noticed(entry);
        boolean keeps = gain != null && before != null && gain.equals(before.gain);
        if (change.type() == Change.Type.DEPARTED && keeps && replica.cache.isFixed()) {
            replica.require(false, entry.key() + " was delivered as departed from a part that was held throughout");
        }
    }

    /** A handler of an event can read what it is about. */
    private void readable(@Nullable Delivered delivered) {
        if (delivered == null || isRemoval(delivered.type)) {
            return;
        }
        Entry seen = replica.cache.view.peek(delivered.entry.key());
        if (seen != null && version(seen) < version(delivered.entry)) {
            replica.require(
                    false,
                    "after the event of " + delivered.entry.key() + " at " + delivered.entry.resourceVersion()
                            + " a reader sees " + seen.resourceVersion());
        }
    }

    private static long version(Entry entry) {
        return Long.parseLong(entry.resourceVersion());
    }

    /** Check that the last event of a name says what there is, null for nothing that is held. */
    void checkLast(ObjectKey key, @Nullable State state) {
        Delivered delivered = last.get(key);
        if (state == null) {
            replica.require(
                    delivered == null || isRemoval(delivered.type), "the last event of " + key + " is " + delivered);
        } else {
            checkDelivered(key, state);
        }
    }

    private void checkDelivered(ObjectKey key, State state) {
        Delivered delivered = last.get(key);
        boolean current = delivered != null
                && !isRemoval(delivered.type)
                && delivered.entry.uid().equals(Json.uid(state.uid()))
                && version(delivered.entry) == state.version();
        replica.require(current, "the last event of " + key + " is " + delivered + " instead of " + state);
        GainedParts gain = replica.gain(replica.cache.part(state));
        replica.require(
                !current || !replica.cache.isFixed() || gain != null && gain.equals(delivered.gain),
                "no event of " + key + " since its part was gained");
    }
}
