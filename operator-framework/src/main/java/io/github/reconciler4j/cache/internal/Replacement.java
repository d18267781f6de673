package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A new list on its way in. The store keeps serving the old state until the list is whole; then the difference is
 * applied. Entries that did not change are taken over, so that a relist of an unchanged kind allocates nearly nothing.
 * To be used by one thread.
 */
final class Replacement {

    private final ObjectStore store;
    private final Scope scope;
    private final Map<ObjectKey, Entry> found = new LinkedHashMap<>();

    /** A new list of a scope. */
    Replacement(ObjectStore store, Scope scope) {
        this.store = store;
        this.scope = scope;
    }

    /** Takes the object that was just read, which has this metadata. */
    void take(EntryReader reader, HeaderDraft header) throws IOException {
        if (!scope.isOfShard(header.uid)) {
            return;
        }
        Entry known = store.get(header.namespace, header.name);
        Entry entry = known != null && known.isAt(header) ? known : reader.entry();
        if (entry != null) {
            found.put(entry.key(), entry);
        }
    }

    /** Takes back an object that was deleted while the list was being sent. */
    void remove(HeaderDraft header) {
        found.remove(new ObjectKey(header.namespace, header.name));
    }

    /** How many objects were taken. */
    int size() {
        return found.size();
    }

    /** Forgets what was taken so far. */
    void clear() {
        found.clear();
    }

    /** What has to change in the store; initial if it is the first list. */
    List<Change> changes(boolean initial) {
        List<Change> changes = new ArrayList<>();
        for (Entry old : store.list(scope.namespace())) {
            if (!scope.covers(old.namespace())) {
                continue;
            }
            Entry now = found.get(old.key());
            if (now == null || !now.sameObject(old)) {
                changes.add(Change.deleted(old, old, true));
            }
        }
        for (Entry now : found.values()) {
            @Nullable Entry old = store.get(now.namespace(), now.name());
            if (old == null || !now.sameObject(old)) {
                changes.add(Change.created(now, initial));
            } else if (old != now) {
                changes.add(Change.updated(old, now));
            }
        }
        return changes;
    }
}
