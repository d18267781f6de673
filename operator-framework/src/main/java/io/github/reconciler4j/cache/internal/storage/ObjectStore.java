package io.github.reconciler4j.cache.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one kind, by namespace and name, and their indexes. Thread-safe, with one writer at a time.
 *
 * <p>A writer applies a batch of changes to entries and indexes under the write half of the lock, and readers collect
 * references under its read half, so every reader sees a batch as a whole or not at all. Reading a single entry takes no
 * lock. Nothing is decoded and no code of a user runs under the lock: the terms of a change are computed before
 * ({@link #prepare}), and the writer checks under its own lock that no index was added meanwhile ({@link #isPrepared}).
 *
 * @since 0.1.0
 */
public final class ObjectStore {

    private static final Index[] NO_INDEXES = {};
    private static final String[] NO_TERMS = {};

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** Changed under the lock; single entries are read without it. */
    private final Map<String, Map<String, Entry>> namespaces = new ConcurrentHashMap<>();

    private volatile Index[] indexes = NO_INDEXES;
    private volatile int size;
    private volatile long bodyBytes;
    private volatile long headerBytes;

    /** Create an empty store. */
    public ObjectStore() {}

    /** Return one entry, null if it is not stored. */
    public @Nullable Entry get(String namespace, String name) {
        Map<String, Entry> names = namespaces.get(namespace);
        return names == null ? null : names.get(name);
    }

    /** Return the number of entries. */
    public int size() {
        return size;
    }

    /** Return the estimated number of bytes of the headers. */
    public long headerBytes() {
        return headerBytes;
    }

    /** Return the number of bytes of the encoded bodies. */
    public long bodyBytes() {
        return bodyBytes;
    }

    /** Return all entries, or those of one namespace if it is not empty; a copy. */
    public List<Entry> list(String namespace) {
        lock.readLock().lock();
        try {
            if (!namespace.isEmpty()) {
                Map<String, Entry> names = namespaces.get(namespace);
                return names == null ? List.of() : new ArrayList<>(names.values());
            }
            List<Entry> all = new ArrayList<>(size);
            for (Map<String, Entry> names : namespaces.values()) {
                all.addAll(names.values());
            }
            return all;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Return the entries that have all terms; null if there is no such index, or it is not complete yet. */
    public @Nullable List<Entry> find(List<IndexTerm> terms) {
        lock.readLock().lock();
        try {
            List<Entry> found = null;
            for (IndexTerm term : terms) {
                Index index = index(term.index());
                if (index == null || !index.complete) {
                    return null;
                }
                found = found == null ? find(index, term.term()) : retain(index, found, term.term());
            }
            return found;
        } finally {
            lock.readLock().unlock();
        }
    }

    private static List<Entry> find(Index index, String term) {
        Object bucket = index.buckets.get(term);
        if (bucket == null) {
            return List.of();
        }
        return Buckets.entries(bucket);
    }

    private static List<Entry> retain(Index index, List<Entry> entries, String term) {
        return entries.stream()
                .filter(entry -> Arrays.asList(index.termsOf.getOrDefault(entry, NO_TERMS))
                        .contains(term))
                .toList();
    }

    /** Return the names of the indexes that users have added, in the order of the alphabet. */
    public List<String> indexNames() {
        return Arrays.stream(indexes)
                .map(index -> index.name)
                .filter(name -> !HeaderIndexes.isOurs(name))
                .sorted()
                .toList();
    }

    /** Return whether there is an index of that name, complete or not. */
    public boolean hasIndex(String name) {
        return index(name) != null;
    }

    /** Return whether an entry, stored or not, has a term. Can run code of the user. */
    public boolean hasTerm(Entry entry, IndexTerm term) {
        Index index = index(term.index());
        return index != null && Arrays.asList(index.terms(entry)).contains(term.term());
    }

    private @Nullable Index index(String name) {
        for (Index index : indexes) {
            if (index.name.equals(name)) {
                return index;
            }
        }
        return null;
    }

    /**
     * Add an index. From now on changes must have terms for it; entries that are stored already are added by
     * {@link #complete}. To be called by the one writer.
     *
     * @return false if there is one of that name
     */
    public boolean register(String name, TermFunction function) {
        if (hasIndex(name)) {
            return false;
        }
        Index[] more = Arrays.copyOf(indexes, indexes.length + 1);
        more[indexes.length] = new Index(name, function);
        indexes = more;
        return true;
    }

    /**
     * Add the entries that were stored when an index was registered and have not changed since; it can be used afterwards.
     * Runs code of the user under no lock.
     */
    public void complete(String name, List<Entry> entries) {
        Index index = index(name);
        if (index == null) {
            return;
        }
        List<String[]> terms = entries.stream().map(index::terms).toList();
        lock.writeLock().lock();
        try {
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                if (get(entry.namespace(), entry.name()) == entry && !index.termsOf.containsKey(entry)) {
                    add(index, entry, terms.get(i));
                }
            }
            index.complete = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Compute the terms of what the changes contain. Runs code of the user, so no lock may be held. */
    public void prepare(List<Change> changes) {
        Index[] wanted = indexes;
        for (Change change : changes) {
            if (change.indexes != wanted) {
                change.indexes = wanted;
                change.terms = change.isRemoval() ? new String[0][] : terms(wanted, change.entry());
            }
        }
    }

    private static String[][] terms(Index[] wanted, Entry entry) {
        String[][] terms = new String[wanted.length][];
        for (int i = 0; i < wanted.length; i++) {
            terms[i] = wanted[i].terms(entry);
        }
        return terms;
    }

    /** Return whether {@link #prepare} was called for the indexes that exist now. */
    public boolean isPrepared(List<Change> changes) {
        Index[] wanted = indexes;
        for (Change change : changes) {
            if (change.indexes != wanted) {
                return false;
            }
        }
        return true;
    }

    /** Apply prepared changes, all at once for every reader. To be called by the one writer. */
    public void apply(List<Change> changes) {
        lock.writeLock().lock();
        try {
            for (Change change : changes) {
                apply(change);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    @GuardedBy("lock")
    private void apply(Change change) {
        Entry entry = change.entry();
        Entry old = change.old();
        if (old != null) {
            for (Index index : indexes) {
                remove(index, old);
            }
        }
        if (change.isRemoval()) {
            remove(entry);
            return;
        }
        Map<String, Entry> names =
                namespaces.computeIfAbsent(entry.namespace(), namespace -> new ConcurrentHashMap<>());
        count(names.put(entry.name(), entry), -1);
        count(entry, 1);
        for (int i = 0; i < change.terms.length; i++) {
            add(indexes[i], entry, change.terms[i]);
        }
    }

    @GuardedBy("lock")
    private void remove(Entry entry) {
        Map<String, Entry> names = namespaces.get(entry.namespace());
        if (names != null) {
            count(names.remove(entry.name()), -1);
            if (names.isEmpty()) {
                namespaces.remove(entry.namespace());
            }
        }
    }

    /** Keep the totals; the lock makes each of these updates one step. */
    @GuardedBy("lock")
    private void count(@Nullable Entry entry, int sign) {
        if (entry != null) {
            size = size + sign;
            bodyBytes = bodyBytes + sign * (long) entry.bodyBytes();
            headerBytes = headerBytes + sign * (long) entry.headerBytes();
        }
    }

    @GuardedBy("lock")
    private void add(Index index, Entry entry, String[] terms) {
        index.termsOf.put(entry, terms);
        for (String term : terms) {
            index.buckets.merge(term, entry, Buckets::with);
        }
    }

    @GuardedBy("lock")
    private void remove(Index index, Entry entry) {
        String[] terms = index.termsOf.remove(entry);
        if (terms == null) {
            return;
        }
        for (String term : terms) {
            index.buckets.computeIfPresent(term, (key, bucket) -> Buckets.without(bucket, entry));
        }
    }

    /** Entries by a term. The content is guarded by the lock of the store; the function is called under no lock. */
    static final class Index {

        private final String name;
        private final TermFunction function;
        private final Map<String, Object> buckets = new HashMap<>(); // see Buckets
        private final Map<Entry, String[]> termsOf = new IdentityHashMap<>();
        private boolean complete;

        private Index(String name, TermFunction function) {
            this.name = name;
            this.function = function;
        }

        private String[] terms(Entry entry) {
            Collection<String> terms = function.terms(entry);
            return terms.isEmpty() ? NO_TERMS : new HashSet<>(terms).toArray(NO_TERMS);
        }
    }

    /** What an index has for one term: an entry, or a set of several, because most terms have one entry. */
    static final class Buckets {

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

    /** Returns the terms that an entry has in an index. Can run code of the user. Thread-safe. */
    @FunctionalInterface
    public interface TermFunction {

        /** Return the terms; a term counts once, however often it occurs. */
        Collection<String> terms(Entry entry);
    }
}
