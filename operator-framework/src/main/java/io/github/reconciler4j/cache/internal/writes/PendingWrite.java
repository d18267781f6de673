package io.github.reconciler4j.cache.internal.writes;

import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one name because of this program's own writes. Immutable.
 *
 * @param version the version at which it was so; for a deletion one that the object had
 * @param uid the uid of the object, {@code ""} if the object does not exist
 * @param entry the object as it was then; null if it was deleted or is not selected by the watch
 * @param outcome what became of it
 * @param bound for {@link Outcome#DELETED_IN_SELECTION}, a version at which it was gone; {@code ""} if none is known
 */
record PendingWrite(String version, String uid, @Nullable Entry entry, Outcome outcome, String bound) {

    /** What became of an object. */
    enum Outcome {
        /** It was as the entry says. */
        WRITTEN,
        /** It is gone for good, which the watch delivers as the only deletion of it. */
        DELETED,
        /** It is gone for good, but the watch can deliver earlier deletions: it left the selection and came back. */
        DELETED_IN_SELECTION,
        /** Only the API server can say what readers are to see. */
        UNKNOWN
    }

    static PendingWrite written(String version, String uid, @Nullable Entry entry) {
        return new PendingWrite(version, uid, entry, Outcome.WRITTEN, "");
    }

    /**
     * Create the write of a deletion.
     *
     * @param fixed whether an object that the watch selects stays selected
     */
    static PendingWrite deleted(String version, String uid, boolean fixed) {
        return new PendingWrite(version, uid, null, fixed ? Outcome.DELETED : Outcome.DELETED_IN_SELECTION, "");
    }

    static PendingWrite unknown(String version, String uid) {
        return new PendingWrite(version, uid, null, Outcome.UNKNOWN, "");
    }

    /** Return this deletion, given that the object was gone at a version. */
    PendingWrite goneAt(String gone) {
        return new PendingWrite(version, uid, null, outcome, gone);
    }

    /** Return this write, given that the watch does not select the object. */
    PendingWrite unselected() {
        return written(version, uid, null);
    }

    /** Return whether this is a deletion of which no version is known at which the object was gone. */
    boolean isUnbounded() {
        return outcome == Outcome.DELETED_IN_SELECTION && bound.isEmpty();
    }

    private boolean isDeleted() {
        return outcome == Outcome.DELETED || outcome == Outcome.DELETED_IN_SELECTION;
    }

    boolean isWritten() {
        return outcome == Outcome.WRITTEN;
    }

    boolean isUnknown() {
        return outcome == Outcome.UNKNOWN;
    }

    /** Return which of two writes of one name holds. */
    static PendingWrite newer(PendingWrite before, PendingWrite now) {
        if (before.isDeletionOf(now.uid)) {
            return before; // a uid never comes back
        }
        if (now.isDeletionOf(before.uid)) {
            return now;
        }
        if (before.isUnknown()
                && ResourceVersions.compare(now.version, before.version).isEmpty()) {
            String version =
                    now.version.isEmpty() ? now.version : before.version; // no version at which both are passed
            return unknown(version, before.uid); // may be the newer one; who asks the server now asks again
        }
        return ResourceVersions.isNotAfter(now.version, before.version) ? before : now;
    }

    private boolean isDeletionOf(String other) {
        return isDeleted() && uid.equals(other);
    }

    /** Return what a reader is to see, given what is stored. */
    @Nullable
    Entry over(@Nullable Entry stored) {
        if (isUnknown() || stored == null) {
            return entry;
        }
        if (isDeleted()) {
            boolean older = ResourceVersions.isNotAfter(stored.resourceVersion(), version);
            return older || stored.uid().equals(uid) ? null : stored;
        }
        return ResourceVersions.isNotAfter(version, stored.resourceVersion()) ? stored : entry;
    }

    /** Return whether the store has everything up to this write, so that it can be forgotten. */
    boolean isPassed(String position, @Nullable Entry stored) {
        return switch (outcome) {
            case WRITTEN, UNKNOWN -> ResourceVersions.isNotAfter(version, position);
            case DELETED ->
                ResourceVersions.isNotAfter(version, position)
                        && (stored == null || !stored.uid().equals(uid));
            case DELETED_IN_SELECTION -> !bound.isEmpty() && ResourceVersions.isNotAfter(bound, position);
        };
    }

    /** Return whether an answer of a server whose versions are no numbers is what is stored already. */
    boolean isStored(@Nullable Entry stored) {
        return stored != null
                && entry != null
                && stored.isSameObject(entry)
                && stored.resourceVersion().equals(entry.resourceVersion());
    }
}
