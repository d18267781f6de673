package io.github.reconciler4j.cache.internal.storage;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an index has for one term: an entry, or a set of several, because most terms have one entry. */
final class Buckets {

    private Buckets() {}

    /** Return a bucket with another entry. */
    static Object with(Object bucket, Object entry) {
        Set<Entry> set = bucket instanceof Entry one ? new HashSet<>(Set.of(one)) : set(bucket);
        set.add((Entry) entry);
        return set;
    }

    /** Return a bucket without an entry; null if it is empty then. */
    static @Nullable Object without(Object bucket, Entry entry) {
        if (bucket instanceof Entry) {
            return bucket == entry ? null : bucket;
        }
        Set<Entry> set = set(bucket);
        set.remove(entry);
        return set.isEmpty() ? null : set;
    }

    /** Return a copy of the entries of a bucket. */
    static List<Entry> entries(Object bucket) {
        return bucket instanceof Entry one ? List.of(one) : List.copyOf(set(bucket));
    }

    @SuppressWarnings("unchecked")
    private static Set<Entry> set(Object bucket) {
        return (Set<Entry>) bucket;
    }
}
