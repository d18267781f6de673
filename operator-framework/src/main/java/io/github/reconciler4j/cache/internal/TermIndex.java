package io.github.reconciler4j.cache.internal;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries by a term. Guarded by the lock of the {@link ObjectStore} it belongs to, except for the function, which is
 * called outside all locks.
 */
final class TermIndex {

    private static final String[] NO_TERMS = {};

    private final String name;
    private final TermFunction function;
    /** Term to the one entry that has it, or to the set of those. */
    private final Map<String, Object> buckets = new HashMap<>();

    private final Map<Entry, String[]> termsOf = new IdentityHashMap<>();

    private boolean complete;

    TermIndex(String name, TermFunction function) {
        this.name = name;
        this.function = function;
    }

    String name() {
        return name;
    }

    /** The terms of an entry; may run code of the user. */
    String[] terms(Entry entry) {
        Collection<String> terms = function.terms(entry);
        return terms.isEmpty() ? NO_TERMS : new HashSet<>(terms).toArray(NO_TERMS);
    }

    /** Whether it knows all entries. */
    boolean isComplete() {
        return complete;
    }

    void completed() {
        complete = true;
    }

    boolean contains(Entry entry) {
        return termsOf.containsKey(entry);
    }

    void add(Entry entry, String[] terms) {
        termsOf.put(entry, terms);
        for (String term : terms) {
            buckets.merge(term, entry, TermIndex::join);
        }
    }

    void remove(Entry entry) {
        String[] terms = termsOf.remove(entry);
        if (terms == null) {
            return;
        }
        for (String term : terms) {
            buckets.computeIfPresent(term, (key, bucket) -> without(bucket, entry));
        }
    }

    /** The entries that have the term, a copy. */
    List<Entry> find(String term) {
        Object bucket = buckets.get(term);
        if (bucket == null) {
            return List.of();
        }
        return bucket instanceof Entry one ? List.of(one) : List.copyOf(set(bucket));
    }

    /** Those of some entries that have the term too. */
    List<Entry> retain(List<Entry> entries, String term) {
        return entries.stream()
                .filter(entry ->
                        Arrays.asList(termsOf.getOrDefault(entry, NO_TERMS)).contains(term))
                .toList();
    }

    private static Object join(Object bucket, Object entry) {
        Set<Entry> set = bucket instanceof Entry one ? new HashSet<>(Set.of(one)) : set(bucket);
        set.add((Entry) entry);
        return set;
    }

    private static @Nullable Object without(Object bucket, Entry entry) {
        if (bucket instanceof Entry) {
            return bucket == entry ? null : bucket;
        }
        Set<Entry> set = set(bucket);
        set.remove(entry);
        return set.isEmpty() ? null : set;
    }

    @SuppressWarnings("unchecked")
    private static Set<Entry> set(Object bucket) {
        return (Set<Entry>) bucket;
    }
}
