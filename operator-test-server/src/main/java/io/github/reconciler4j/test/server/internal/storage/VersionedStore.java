package io.github.reconciler4j.test.server.internal.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all objects of the server in memory, as JSON text, with one counter for the versions of all of them.
 *
 * <p>Writes are compare-and-set and take one short lock; each gives the counter one step. Reads take no lock and see one
 * version: what changed while they ran is undone with the help of the change log. Safe for use by multiple threads.
 */
public final class VersionedStore {
    private final int historySize;
    private final BiConsumer<ResourceId, Change> observer;
    private final ReentrantLock writeLock = new ReentrantLock();
    private final Map<ResourceId, Table> tables = new ConcurrentHashMap<>();
    /** Written under {@code writeLock}, after the change is in its table. */
    private volatile long version = 1;
    /** Written under {@code writeLock}: tables that are created later start here. */
    private volatile long compacted;

    /**
     * Create an empty store.
     *
     * @param historySize how many changes of each resource are kept
     * @param observer receives each change under the lock of writes, before readers see it
     */
    public VersionedStore(int historySize, BiConsumer<ResourceId, Change> observer) {
        this.historySize = historySize;
        this.observer = observer;
    }

    public long version() {
        return version;
    }

    public Set<ResourceId> resources() {
        return Set.copyOf(tables.keySet());
    }

    /** Return the object as it is now, or null. */
    public @Nullable StoredObject get(ResourceId resource, ObjectName name) {
        return table(resource).objects.get(name.key());
    }

    public int count(ResourceId resource) {
        return table(resource).objects.size();
    }

    /**
     * Write an object if it still is what the caller expects.
     *
     * @param expected what the caller read; null when there must be none
     * @param next the new state; the resource version is set in it
     * @return the stored object, or null after a concurrent write
     */
    public @Nullable StoredObject put(
            ResourceId resource, ObjectName name, @Nullable StoredObject expected, ObjectNode next) {
        Table table = table(resource);
        StoredObject stored;
        writeLock.lock();
        try {
            if (table.objects.get(name.key()) != expected) {
                return null;
            }
            long write = version + 1;
            stored = StoredObject.of(name, write, next);
            Change change = new Change(write, expected, stored, stored);
            observer.accept(resource, change);
            table.apply(change);
            version = write;
        } finally {
            writeLock.unlock();
        }
        table.listeners.forEach(Runnable::run);
        return stored;
    }

    /**
     * Remove an object if it still is what the caller expects.
     *
     * @param last its last state, for watchers; the version of the removal is set in it
     * @return the last state as watchers see it, or null after a concurrent write
     */
    public @Nullable StoredObject remove(ResourceId resource, StoredObject expected, ObjectNode last) {
        Table table = table(resource);
        StoredObject tombstone;
        writeLock.lock();
        try {
            if (table.objects.get(expected.name().key()) != expected) {
                return null;
            }
            long write = version + 1;
            tombstone = StoredObject.of(expected.name(), write, last);
            Change change = new Change(write, expected, null, tombstone);
            observer.accept(resource, change);
            table.apply(change);
            version = write;
        } finally {
            writeLock.unlock();
        }
        table.listeners.forEach(Runnable::run);
        return tombstone;
    }

    public Page list(ResourceId resource, ListQuery query) {
        while (true) {
            try {
                return list(resource, query, version);
            } catch (HistoryGoneException e) {
                Thread.onSpinWait(); // more writes than the history holds happened meanwhile: look again
            }
        }
    }

    /**
     * List objects as they were at a version.
     *
     * @throws HistoryGoneException if that is too long ago
     */
    public Page list(ResourceId resource, ListQuery query, long at) throws HistoryGoneException {
        Table table = table(resource);
        SortedMap<String, StoredObject> found = new TreeMap<>();
        SortedMap<String, StoredObject> range = table.objects.tailMap(query.after(), false);
        if (!query.namespace().isEmpty()) {
            range = table.objects.subMap(query.namespace() + "/", query.namespace() + "0");
        }
        range.forEach((key, object) -> {
            if (query.covers(key)) {
                found.put(key, object);
            }
        });
        Map<String, Optional<StoredObject>> undo = table.undoTo(at);
        if (undo == null) {
            throw new HistoryGoneException(at, table.log.forgotten() + 1);
        }
        undo.forEach((key, object) -> {
            if (query.covers(key)) {
                object.ifPresentOrElse(then -> found.put(key, then), () -> found.remove(key));
            }
        });
        return cut(found, query, at);
    }

    private static Page cut(SortedMap<String, StoredObject> found, ListQuery query, long at) {
        List<StoredObject> items = new ArrayList<>();
        Iterator<Map.Entry<String, StoredObject>> rest = found.entrySet().iterator();
        String lastKey = "";
        long seen = 0;
        while (rest.hasNext() && (query.limit() == 0 || items.size() < query.limit())) {
            Map.Entry<String, StoredObject> entry = rest.next();
            lastKey = entry.getKey();
            seen++;
            if (query.filter().test(entry.getValue())) {
                items.add(entry.getValue());
            }
        }
        return new Page(at, items, lastKey, rest.hasNext(), found.size() - seen);
    }

    /**
     * Read the changes of a resource from a version on.
     *
     * @param from changes after this version are read
     * @param onChange called after each later write, in the writing thread; must be quick and must not write
     * @throws HistoryGoneException if some of those changes are gone
     */
    public ChangeReader read(ResourceId resource, long from, Runnable onChange) throws HistoryGoneException {
        Table table = table(resource);
        ChangeLog.Entry place = table.log.after(from);
        if (place == null) {
            throw new HistoryGoneException(from, table.log.forgotten() + 1);
        }
        table.listeners.add(onChange);
        return new ChangeReader(this, table, place, from, onChange);
    }

    /** Forget the history up to a version: reads from before it fail from now on. */
    public void compact(long upTo) {
        writeLock.lock();
        try {
            long bound = Math.min(upTo, version);
            compacted = Math.max(compacted, bound);
            tables.values().forEach(table -> table.log.forgetThrough(bound));
        } finally {
            writeLock.unlock();
        }
    }

    /** Call the consumer with every object of every resource as it is now. */
    public void forEach(Consumer<StoredObject> consumer) {
        tables.values().forEach(table -> table.objects.values().forEach(consumer));
    }

    private Table table(ResourceId resource) {
        Table table = tables.get(resource);
        return table != null ? table : Objects.requireNonNull(tables.computeIfAbsent(resource, id -> newTable()));
    }

    private Table newTable() {
        return new Table(historySize, compacted);
    }
}
