package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.FieldTerms.IndexTerm;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What readers see of a kind: the store with the program's own writes over it. Safe for use by many threads. Own writes
 * are always looked at before the store, because a write leaves them only after the store has taken it in.
 */
final class View {

    private final ObjectStore store;
    private final OwnWrites writes;

    View(ObjectStore store, OwnWrites writes) {
        this.store = store;
        this.writes = writes;
    }

    /** One entry, null if there is none. */
    @Nullable
    Entry get(ObjectKey key) {
        OwnWrite write = writes.isEmpty() ? null : writes.get(key);
        Entry stored = store.get(key.namespace(), key.name());
        return write == null ? stored : write.over(stored);
    }

    /** One entry as far as it is known without asking the server, null if there is none. */
    @Nullable
    Entry peek(ObjectKey key) {
        OwnWrite write = writes.peek(key);
        Entry stored = store.get(key.namespace(), key.name());
        return write == null || write.isUnknown() ? stored : write.over(stored);
    }

    /** All entries, or those of one namespace if it is not empty; a copy. */
    List<Entry> list(String namespace) {
        if (writes.isEmpty()) {
            return store.list(namespace);
        }
        Map<ObjectKey, OwnWrite> own = writes.all();
        own.keySet().removeIf(key -> !namespace.isEmpty() && !namespace.equals(key.namespace()));
        List<Entry> seen = new ArrayList<>();
        for (Entry stored : store.list(namespace)) {
            OwnWrite write = own.remove(stored.key());
            add(seen, write == null ? stored : write.over(stored));
        }
        own.values().forEach(write -> add(seen, write.entry()));
        return seen;
    }

    /** The entries that have all terms; null if there is no such index. May run code of the user. */
    @Nullable
    List<Entry> find(List<IndexTerm> terms) {
        Map<ObjectKey, OwnWrite> own = writes.isEmpty() ? Map.of() : writes.all();
        List<Entry> found = store.find(terms);
        if (own.isEmpty() || found == null) {
            return found;
        }
        List<Entry> seen = new ArrayList<>();
        for (Entry stored : found) {
            OwnWrite write = own.get(stored.key());
            if (write == null || write.over(stored) == stored) {
                seen.add(stored);
            }
        }
        own.forEach((key, write) -> {
            Entry entry = write.over(store.get(key.namespace(), key.name()));
            if (entry != null && entry == write.entry() && terms.stream().allMatch(term -> has(entry, term))) {
                seen.add(entry);
            }
        });
        return seen;
    }

    private boolean has(Entry entry, IndexTerm term) {
        TermIndex index = store.index(term.index());
        return index != null && Arrays.asList(index.terms(entry)).contains(term.term());
    }

    private static void add(List<Entry> seen, @Nullable Entry entry) {
        if (entry != null) {
            seen.add(entry);
        }
    }
}
