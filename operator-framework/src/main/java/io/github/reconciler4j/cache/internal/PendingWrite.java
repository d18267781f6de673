package io.github.reconciler4j.cache.internal;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one name because of this program's own writes. Immutable.
 *
 * @param version the version at which it was so; for a deletion the newest one known of the object
 * @param uid the uid of the object, empty if there is none
 * @param entry the object as it was then; null if it is gone, or is none of those the cache watches any more
 * @param fate what became of it
 */
record PendingWrite(String version, String uid, @Nullable Entry entry, Fate fate) {

    /** What became of an object. */
    enum Fate {
        /** It was as the entry says. */
        WRITTEN,
        /** It is gone for good. */
        DELETED,
        /** It cannot be told what the watch will bring, and when: the server has to be asked. */
        UNKNOWN
    }

    /** Something happened to an object, and only the server can tell what readers are to see. */
    static PendingWrite unknown(String version, String uid) {
        return new PendingWrite(version, uid, null, Fate.UNKNOWN);
    }

    boolean isWritten() {
        return fate == Fate.WRITTEN;
    }

    boolean isUnknown() {
        return fate == Fate.UNKNOWN;
    }

    /** Of two writes of one name, the one that holds. */
    static PendingWrite newer(PendingWrite before, PendingWrite now) {
        if (before.isGone(now.uid)) {
            return before; // a uid never comes back
        }
        if (now.isGone(before.uid)) {
            return now;
        }
        if (before.isUnknown() && Versions.compare(now.version, before.version).isEmpty()) {
            return unknown(before.version, before.uid); // may be the newer one; who asks the server now asks again
        }
        return Versions.notAfter(now.version, before.version) ? before : now;
    }

    private boolean isGone(String other) {
        return fate == Fate.DELETED && uid.equals(other);
    }

    /** What a reader is to see, given what the store has. */
    @Nullable
    Entry over(@Nullable Entry stored) {
        if (isUnknown() || stored == null) {
            return entry;
        }
        if (fate == Fate.DELETED) {
            boolean older = Versions.notAfter(stored.resourceVersion(), version);
            return older || stored.uid().equals(uid) ? null : stored;
        }
        return Versions.notAfter(version, stored.resourceVersion()) ? stored : entry;
    }

    /** Whether the store has taken in everything up to this write, so that it can be forgotten. */
    boolean isPassed(String position, @Nullable Entry stored) {
        if (isUnknown() && stored != null && entry != null && stored.sameObject(entry)) {
            return stored.resourceVersion().equals(entry.resourceVersion());
        }
        return Versions.notAfter(version, position)
                && (fate != Fate.DELETED || stored == null || !stored.uid().equals(uid));
    }
}
