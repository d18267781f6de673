package io.github.reconciler4j.cache.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has to tell of one object, however often it changed since it was told last. Guarded by the lock
 * of its {@link SubscriptionQueue} until it is taken out.
 */
final class Pending {

    /** When it began to wait, in {@link System#nanoTime}. */
    final long since;

    /** The state told last, null if the listener knows of no such object. */
    private final @Nullable Entry told;
    /** The last state of the object told, if that object is gone. */
    private @Nullable Entry gone;

    private boolean unknown;
    /** The state now, null if there is none. */
    private @Nullable Entry latest;

    private final boolean initial;
    private boolean resync;

    Pending(Change first, long since) {
        this.since = since;
        told = first.old();
        initial = first.isInitial();
        resync = first.type() == Change.Type.RESYNC;
        if (first.type() == Change.Type.DELETED) {
            gone = first.entry();
            unknown = first.isFinalStateUnknown();
        } else {
            latest = first.entry();
        }
    }

    /** Whether it is of the state that was there when the subscription began. */
    boolean isInitial() {
        return initial;
    }

    /**
     * Takes one more change.
     *
     * @return whether there is anything left to tell
     */
    boolean merge(Change change) {
        switch (change.type()) {
            case RESYNC -> {}
            case CREATED, UPDATED -> {
                latest = change.entry();
                resync = false;
            }
            case DELETED -> {
                latest = null;
                if (gone == null && told != null) {
                    gone = change.entry();
                    unknown = change.isFinalStateUnknown();
                }
            }
        }
        return gone != null || latest != null;
    }

    /** What to tell, in order. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>(2);
        Entry now = latest;
        if (gone != null) {
            changes.add(Change.deleted(told == null ? gone : told, gone, unknown));
            if (now != null) {
                changes.add(Change.created(now, initial));
            }
        } else if (now != null && told == null) {
            changes.add(Change.created(now, initial));
        } else if (now != null && told != null) {
            changes.add(resync ? Change.resync(now) : Change.updated(told, now));
        }
        return changes;
    }
}
