package io.github.reconciler4j.cache.internal;

import org.jspecify.annotations.Nullable;

/**
 * What the server answered to one of this program's own writes. Immutable.
 *
 * @param version the version of the answer; for a deletion the newest one known of the object
 * @param uid the uid of the object
 * @param entry the object as it is now; null if it is gone, or is none of those the cache watches any more
 * @param deleted whether it is gone for good
 */
record OwnWrite(String version, String uid, @Nullable Entry entry, boolean deleted) {

    /** Of two writes of one name, the one that holds. */
    static OwnWrite newer(OwnWrite before, OwnWrite now) {
        if (before.deleted && before.uid.equals(now.uid)) {
            return before; // a uid never comes back
        }
        if (now.deleted && now.uid.equals(before.uid)) {
            return now;
        }
        return Versions.notAfter(now.version, before.version) ? before : now;
    }

    /** What a reader is to see, given what the store has. */
    @Nullable
    Entry over(@Nullable Entry stored) {
        if (deleted) {
            return stored != null && !stored.uid().equals(uid) ? stored : null;
        }
        return stored != null && Versions.notAfter(version, stored.resourceVersion()) ? stored : entry;
    }

    /** Whether the store has taken in everything up to this write, so that it can be forgotten. */
    boolean isPassed(String position, @Nullable Entry stored) {
        if (!Versions.notAfter(version, position)) {
            return false;
        }
        return !deleted || stored == null || !stored.uid().equals(uid);
    }
}
