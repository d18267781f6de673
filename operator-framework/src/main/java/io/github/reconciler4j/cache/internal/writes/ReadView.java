package io.github.reconciler4j.cache.internal.writes;

import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What readers see of a kind: the store with the pending writes over it. Pending writes are always looked at before the
 * store, because a write is removed only after the store has it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ReadView {

    private final ObjectStore store;
    private final PendingWrites writes;
    private final Function<String, @Nullable WatchProgress> progress;

    /**
     * Create a view.
     *
     * @param progress returns the progress of the watch that covers a namespace, null if none does
     */
    public ReadView(ObjectStore store, PendingWrites writes, Function<String, @Nullable WatchProgress> progress) {
        this.store = store;
        this.writes = writes;
        this.progress = progress;
    }

    /** Return one entry, null if the object does not exist. */
    public @Nullable Entry get(ObjectKey key) {
        while (true) {
            PendingWrite write = writes.isEmpty() ? null : writes.get(key);
            boolean passed = write != null && isPassed(key, write);
            Entry stored = store.get(key.namespace(), key.name());
            if (write == null || passed) {
                return stored;
            }
            if (stored != null || !isPassed(key, write)) {
                return write.over(stored);
            }
        }
    }

    /** Return whether the watch has delivered a write; the store may have moved on since. */
    private boolean isPassed(ObjectKey key, PendingWrite write) {
        WatchProgress watch = progress.apply(key.namespace());
        return watch != null && write.isWritten() && ResourceVersions.isNotAfter(write.version(), watch.position());
    }

    /** Return one entry as far as it is known without a request, null if the object does not exist. */
    public @Nullable Entry peek(ObjectKey key) {
        PendingWrite write = writes.peek(key);
        Entry stored = store.get(key.namespace(), key.name());
        return write == null || write.isUnknown() ? stored : write.over(stored);
    }

    /** Return all entries, or those of one namespace if it is not empty; a copy. */
    public List<Entry> list(String namespace) {
        return overlaid(
                () -> store.list(namespace), entry -> namespace.isEmpty() || namespace.equals(entry.namespace()));
    }

    /** Return the entries that have all terms; null if there is no such index. Can run code of the user. */
    public @Nullable List<Entry> find(List<IndexTerm> terms) {
        if (writes.isEmpty()) { // before the store is read, or a write that is passed meanwhile would be missed
            return store.find(terms);
        }
        if (store.find(terms) == null) {
            return null;
        }
        return overlaid(
                () -> Objects.requireNonNull(store.find(terms)), // a complete index stays
                entry -> terms.stream().allMatch(term -> store.hasTerm(entry, term)));
    }

    /**
     * Return what is stored, with pending writes in its place or added.
     *
     * <p>The watch continues meanwhile. A write that it had passed before the store was read is stored or outdated. One that it
     * passes while the store is read can have been stored and deleted since, so the store is read again.
     */
    private List<Entry> overlaid(Supplier<List<Entry>> read, Predicate<Entry> wanted) {
        while (!writes.isEmpty()) {
            Map<ObjectKey, PendingWrite> own = writes.all();
            own.entrySet().removeIf(write -> isPassed(write.getKey(), write.getValue()));
            List<Entry> seen = new ArrayList<>();
            for (Entry stored : read.get()) {
                PendingWrite write = own.remove(stored.key());
                add(seen, write == null ? stored : write.over(stored), entry -> entry == stored || wanted.test(entry));
            }
            if (own.entrySet().stream().noneMatch(write -> isPassed(write.getKey(), write.getValue()))) {
                own.values().forEach(write -> add(seen, write.entry(), wanted));
                return seen;
            }
        }
        return read.get();
    }

    private static void add(List<Entry> seen, @Nullable Entry entry, Predicate<Entry> wanted) {
        if (entry != null && wanted.test(entry)) {
            seen.add(entry);
        }
    }
}
