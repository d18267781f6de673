package io.github.reconciler4j.cache.internal.subscription;

import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has to deliver for one object, however often it changed since the last delivery. Guarded by the
 * lock of the queue until it is taken.
 */
final class PendingChange {

    final long since;
    /** The state that was delivered last, null if the listener does not know the object. */
    private final @Nullable Entry delivered;

    private final boolean initial;
    /** The removal of the delivered object, or of the first one if the listener knows none. */
    private @Nullable Removal removed;

    /** The last removal of an object that took its name. Of those in between, nothing can be left at the API server. */
    private @Nullable Removal removedLater;

    /** The present state; null if the object does not exist. */
    private @Nullable Entry latest;

    private boolean resync;

    PendingChange(Change first, long since) {
        this.since = since;
        delivered = first.old();
        initial = first.isInitial();
        resync = first.type() == Change.Type.RESYNC;
        if (first.isRemoval()) {
            removed = new Removal(first, null);
        } else {
            latest = first.entry();
        }
    }

    boolean isInitial() {
        return initial;
    }

    /** Add a change; false if nothing is left to deliver. */
    boolean add(Change change) {
        switch (change.type()) {
            case RESYNC, BODY -> {}
            case CREATED, UPDATED -> {
                latest = change.entry();
                resync = false;
            }
            case DELETED, DEPARTED -> {
                Entry before = latest;
                latest = null;
                remove(new Removal(change, before));
            }
        }
        return removed != null || latest != null;
    }

    /**
     * Keep the last removal of each object: it can have left and come back before, and only its last state says what this
     * program has written meanwhile.
     */
    void remove(Removal removal) {
        Removal before = removed;
        if (before == null) {
            if (delivered != null) {
                removed = removal.seen();
            } else if (!removal.departed() && !initial) {
                removed = removal;
            }
        } else if (before.isOf(removal)) {
            removed = before.unseen() == null ? removal.seen() : removal;
        } else if (!removal.departed()) {
            removedLater = removal;
        }
    }

    /** Return what to deliver, in order. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>(removed == null ? 1 : 3);
        Entry now = latest;
        if (removed != null) {
            removed.addTo(changes, delivered, initial);
            if (removedLater != null) {
                removedLater.addTo(changes, null, initial);
            }
            if (now != null) {
                changes.add(Change.created(now, initial));
            }
        } else if (now != null && delivered == null) {
            changes.add(Change.created(now, initial));
        } else if (now != null && delivered != null) {
            changes.add(resync ? Change.resync(now) : Change.updated(delivered, now));
        }
        return changes;
    }

    /**
     * An object was deleted or departed.
     *
     * @param change the removal
     * @param unseen its state before; null if the listener knows the object. It is notified of one that it does not know,
     *     because it may have read the object meanwhile, in a reconciliation for something else.
     */
    private record Removal(Change change, @Nullable Entry unseen) {

        boolean departed() {
            return change.type() == Change.Type.DEPARTED;
        }

        boolean isOf(Removal other) {
            return change.entry().isSameObject(other.change.entry());
        }

        Removal seen() {
            return new Removal(change, null);
        }

        void addTo(List<Change> changes, @Nullable Entry delivered, boolean initial) {
            Entry last = change.entry();
            Entry known = delivered == null ? last : delivered;
            if (unseen != null) {
                changes.add(Change.created(unseen, initial));
                known = unseen;
            }
            changes.add(departed() ? Change.departed(last) : Change.deleted(known, last, change.isFinalStateUnknown()));
        }
    }
}
