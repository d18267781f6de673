package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.FieldTerms.IndexTerm;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What readers see of a kind: the store with the program's own writes over it. Safe for use by many threads. Own writes
 * are always looked at before the store, because a write leaves them only after the store has taken it in.
 */
final class View {

    private final ObjectStore store;
    private final PendingWrites writes;
    private final Function<String, @Nullable Progress> progress;

    /**
     * Creates it.
     *
     * @param progress the watch that covers a namespace, null if none does
     */
    View(ObjectStore store, PendingWrites writes, Function<String, @Nullable Progress> progress) {
        this.store = store;
        this.writes = writes;
        this.progress = progress;
    }

    /** One entry, null if there is none. */
    @Nullable
    Entry get(ObjectKey key) {
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

    /** Whether the watch has brought a write; the store may have gone on since. */
    private boolean isPassed(ObjectKey key, PendingWrite write) {
        Progress watch = progress.apply(key.namespace());
        return watch != null && write.isWritten() && Versions.notAfter(write.version(), watch.position());
    }

    /** One entry as far as it is known without asking the server, null if there is none. */
    @Nullable
    Entry peek(ObjectKey key) {
        PendingWrite write = writes.peek(key);
        Entry stored = store.get(key.namespace(), key.name());
        return write == null || write.isUnknown() ? stored : write.over(stored);
    }

    /** All entries, or those of one namespace if it is not empty; a copy. */
    List<Entry> list(String namespace) {
        return overlaid(
                () -> store.list(namespace), entry -> namespace.isEmpty() || namespace.equals(entry.namespace()));
    }

    /** The entries that have all terms; null if there is no such index. May run code of the user. */
    @Nullable
    List<Entry> find(List<IndexTerm> terms) {
        List<Entry> found = store.find(terms);
        if (found == null || writes.isEmpty()) {
            return found;
        }
        return overlaid(
                () -> Objects.requireNonNull(store.find(terms)), // an index that is complete stays
                entry -> terms.stream().allMatch(term -> has(entry, term)));
    }

    /**
     * What is in the store, with own writes in its place or added.
     *
     * <p>The watch goes on meanwhile. A write it had passed before the store was read is in there, or is outdated. One
     * that it passes while the store is read may have been there and be gone again, so the store is read once more.
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

    private boolean has(Entry entry, IndexTerm term) {
        TermIndex index = store.index(term.index());
        return index != null && Arrays.asList(index.terms(entry)).contains(term.term());
    }

    private static void add(List<Entry> seen, @Nullable Entry entry, Predicate<Entry> wanted) {
        if (entry != null && wanted.test(entry)) {
            seen.add(entry);
        }
    }
}
