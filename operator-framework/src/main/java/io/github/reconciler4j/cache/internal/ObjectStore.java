package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.FieldTerms.IndexTerm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one kind, by namespace and name, and their indexes.
 *
 * <p>{@code lock} guards all content: a writer applies a batch of changes to entries and indexes under its write half,
 * readers collect references under its read half, so that every reader sees all of a batch or nothing. Reading a single
 * entry takes no lock. Nothing is decoded and no code of a user runs under it. Callers see to it that there is one
 * writer at a time.
 */
final class ObjectStore {

    private static final TermIndex[] NONE = {};

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Map<String, Entry>> namespaces = new ConcurrentHashMap<>();
    private volatile TermIndex[] indexes = NONE;
    private volatile int size;
    private volatile long bodyBytes;
    private volatile long headerBytes;

    /** One entry, null if there is none. */
    @Nullable
    Entry get(String namespace, String name) {
        Map<String, Entry> names = namespaces.get(namespace);
        return names == null ? null : names.get(name);
    }

    /** How many entries there are. */
    int size() {
        return size;
    }

    /** How many bytes the headers have, more or less. */
    long headerBytes() {
        return headerBytes;
    }

    /** How many bytes the encoded bodies have. */
    long bodyBytes() {
        return bodyBytes;
    }

    /** All entries, or those of one namespace if it is not empty; a copy. */
    List<Entry> list(String namespace) {
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

    /** The entries that have all terms; null if there is no such index, or not completely yet. */
    @Nullable
    List<Entry> find(List<IndexTerm> terms) {
        lock.readLock().lock();
        try {
            List<Entry> found = null;
            for (IndexTerm term : terms) {
                TermIndex index = index(term.index());
                if (index == null || !index.isComplete()) {
                    return null;
                }
                found = found == null ? index.find(term.term()) : index.retain(found, term.term());
            }
            return found;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** The index of a name, null if there is none. */
    @Nullable
    TermIndex index(String name) {
        for (TermIndex index : indexes) {
            if (index.name().equals(name)) {
                return index;
            }
        }
        return null;
    }

    /** From now on changes must bring terms for this index too; what is there already is added by {@link #complete}. */
    void register(TermIndex index) {
        TermIndex[] more = Arrays.copyOf(indexes, indexes.length + 1);
        more[indexes.length] = index;
        indexes = more;
    }

    /** Adds entries that were there when the index was registered and have not changed since; it can be used then. */
    void complete(TermIndex index, List<Entry> entries, List<String[]> terms) {
        lock.writeLock().lock();
        try {
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                if (get(entry.namespace(), entry.name()) == entry && !index.contains(entry)) {
                    index.add(entry, terms.get(i));
                }
            }
            index.completed();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Works out the terms of what the changes bring; runs code of users, so no lock may be held. */
    void prepare(List<Change> changes) {
        TermIndex[] wanted = indexes;
        for (Change change : changes) {
            if (change.indexes != wanted) {
                change.indexes = wanted;
                change.terms = change.type() == Change.Type.DELETED ? new String[0][] : terms(wanted, change.entry());
            }
        }
    }

    private static String[][] terms(TermIndex[] wanted, Entry entry) {
        String[][] terms = new String[wanted.length][];
        for (int i = 0; i < wanted.length; i++) {
            terms[i] = wanted[i].terms(entry);
        }
        return terms;
    }

    /** Whether {@link #prepare} was done for the indexes there are now. */
    boolean isPrepared(List<Change> changes) {
        TermIndex[] wanted = indexes;
        for (Change change : changes) {
            if (change.indexes != wanted) {
                return false;
            }
        }
        return true;
    }

    /** Applies prepared changes, all at once for every reader. */
    void apply(List<Change> changes) {
        lock.writeLock().lock();
        try {
            for (Change change : changes) {
                apply(change);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void apply(Change change) {
        Entry entry = change.entry();
        Entry old = change.old();
        if (old != null) {
            for (TermIndex index : indexes) {
                index.remove(old);
            }
        }
        if (change.type() == Change.Type.DELETED) {
            remove(entry);
            return;
        }
        Map<String, Entry> names =
                namespaces.computeIfAbsent(entry.namespace(), namespace -> new ConcurrentHashMap<>());
        count(names.put(entry.name(), entry), entry);
        for (int i = 0; i < change.terms.length; i++) {
            indexes[i].add(entry, change.terms[i]);
        }
    }

    private void remove(Entry entry) {
        Map<String, Entry> names = namespaces.get(entry.namespace());
        if (names != null) {
            count(names.remove(entry.name()), null);
            if (names.isEmpty()) {
                namespaces.remove(entry.namespace());
            }
        }
    }

    private void count(@Nullable Entry out, @Nullable Entry in) {
        if (out != null) {
            count(out, -1);
        }
        if (in != null) {
            count(in, 1);
        }
    }

    /** Keeps the totals; the write lock makes both steps of each one. */
    private void count(Entry entry, int sign) {
        size = size + sign;
        bodyBytes = bodyBytes + sign * (long) entry.bodyBytes();
        headerBytes = headerBytes + sign * (long) entry.headerBytes();
    }
}
