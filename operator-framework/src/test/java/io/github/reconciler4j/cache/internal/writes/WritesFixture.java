package io.github.reconciler4j.cache.internal.writes;

import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;

/** Access to pending writes for tests of other packages. */
public final class WritesFixture {

    private WritesFixture() {}

    /** Create an empty set of writes whose lookups end by the given time. */
    public static PendingWrites create(ObjectStore store, LiveLookup lookup, TimeSource time) {
        return new PendingWrites(store, lookup::find, time);
    }

    /** Describe what is pending of a name. */
    public static String peek(PendingWrites writes, ObjectKey key) {
        return String.valueOf(writes.peek(key));
    }

    /** Return whether nothing is kept of any write. */
    public static boolean isEmpty(PendingWrites writes) {
        return writes.isEmpty();
    }
}
