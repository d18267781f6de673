package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list that is being read. The store keeps serving the old state until the list is complete; then the difference is
 * applied. Entries that did not change are taken over, so that listing an unchanged kind again allocates next to nothing.
 * Confined to the thread of its reflector.
 *
 * @since 0.1.0
 */
public final class ListSnapshot {

    private final ObjectStore store;
    private final Scope scope;
    private final PartFilter filter;
    private final boolean bodies;
    private final boolean whole;
    private final Map<ObjectKey, Entry> found = new LinkedHashMap<>();
    /** Stored objects that belong to a part of another process now, and how many objects do at all. */
    private final Set<ObjectKey> departed = new HashSet<>();

    /** What cannot be objects of the kind. */
    private final List<SetAside> setAside = new ArrayList<>();

    private int filtered;

    /**
     * Create an empty list of a scope.
     *
     * @param filter which objects to keep
     * @param bodies whether it is read with bodies
     * @param whole whether it is a list of the scope, or only of what the filter selects
     */
    public ListSnapshot(ObjectStore store, Scope scope, PartFilter filter, boolean bodies, boolean whole) {
        this.store = store;
        this.scope = scope;
        this.filter = filter;
        this.bodies = bodies;
        this.whole = whole;
    }

    /** Add the object that was just read, which has this metadata. */
    void add(EntryReader reader, MutableHeader header) throws IOException {
        Entry known = store.get(header.namespace(), header.name());
        if (!filter.selects(header)) {
            filtered++;
            if (whole && known != null && known.uid().equals(header.uid())) {
                departed.add(known.key());
            }
            return;
        }
        boolean same = known != null && known.isAt(header) && (!bodies || known.hasBody());
        Entry entry = same && known != null ? known : reader.entry();
        found.put(entry.key(), entry);
    }

    /** Record an item that cannot be an object of the kind. */
    void setAside(SetAside item) {
        setAside.add(item);
    }

    /** Return the items that cannot be objects of the kind. */
    public List<SetAside> setAside() {
        return setAside;
    }

    /**
     * Check that a list that is complete can be a list of the kind: not if none of its items can be an object of it, although there
     * are some in the store. They would all be deleted.
     *
     * @throws StreamCorruptedException if it cannot
     */
    void checkPlausible() throws StreamCorruptedException {
        if (!setAside.isEmpty()
                && found.isEmpty()
                && filtered == 0
                && store.list(scope.namespace()).stream().anyMatch(entry -> scope.covers(entry.namespace()))) {
            throw new StreamCorruptedException(
                    "the response contains nothing but " + setAside.get(0).problem()
                            + (setAside.size() == 1 ? "" : " and " + (setAside.size() - 1) + " more like it"));
        }
    }

    /** Remove an object that was deleted while the list was streamed. */
    void remove(MutableHeader header) {
        found.remove(new ObjectKey(header.namespace(), header.name()));
    }

    /** Return the number of objects that were received and belong to other parts. */
    int filtered() {
        return filtered;
    }

    /** Return what to ask for. */
    Scope.Form form() {
        return new Scope.Form(bodies, filter.selector());
    }

    /** Return the filter. */
    public PartFilter filter() {
        return filter;
    }

    /** Return the names of the objects. */
    public Set<ObjectKey> names() {
        return found.keySet();
    }

    /** Return the number of objects. */
    int size() {
        return found.size();
    }

    /** Remove all objects. */
    void clear() {
        found.clear();
        departed.clear();
        setAside.clear();
        filtered = 0;
    }

    /** Return whether it was read with bodies. */
    public boolean hasBodies() {
        return bodies;
    }

    /**
     * Return what has to change in the store.
     *
     * @param initial whether it is the first list
     */
    public List<Change> changes(boolean initial) {
        List<Change> changes = new ArrayList<>();
        Set<ObjectKey> unreadable = new HashSet<>();
        for (SetAside item : setAside) {
            if (item.key() != null) {
                unreadable.add(item.key());
            }
        }
        for (Entry old : store.list(scope.namespace())) {
            Entry now = found.get(old.key());
            if (now == null && unreadable.contains(old.key())) {
                continue; // it exists, in a state that cannot be read
            }
            boolean listed = whole || now != null || filter.selects(old);
            if (!listed || !scope.covers(old.namespace())) {
                continue;
            }
            if (now == null || !now.isSameObject(old)) {
                changes.add(departed.contains(old.key()) ? Change.departed(old) : Change.deleted(old, old, true));
            }
        }
        for (Entry now : found.values()) {
            @Nullable Entry old = store.get(now.namespace(), now.name());
            if (old == null || !now.isSameObject(old)) {
                changes.add(Change.created(now, initial));
            } else if (old != now) {
                changes.add(isBody(old, now) ? Change.body(old, now) : Change.updated(old, now));
            }
        }
        return changes;
    }

    /** A transform can make the headers differ, and then the difference is news. */
    private static boolean isBody(Entry old, Entry now) {
        return !old.hasBody() && now.hasBody() && now.hasSameHeader(old);
    }
}
