package io.github.reconciler4j.test.server.internal.storage;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The objects of one resource and their latest changes. Written under the store's write lock, read without. */
final class Table {
    final ConcurrentNavigableMap<String, StoredObject> objects = new ConcurrentSkipListMap<>();
    final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    final ChangeLog log;

    Table(int historySize, long forgotten) {
        log = new ChangeLog(historySize, forgotten);
    }

    /** Called under the write lock. The log comes first, so that a reader can undo every change that it sees in the map. */
    void apply(Change change) {
        log.append(change);
        String key = change.last().name().key();
        if (change.after() == null) {
            objects.remove(key);
        } else {
            objects.put(key, change.after());
        }
    }

    /**
     * Return the differences between now and the version, by key: the object at that version, or empty if it did not exist. Null
     * when the history does not reach back so far.
     */
    @Nullable
    Map<String, Optional<StoredObject>> undoTo(long version) {
        ChangeLog.Entry place = log.after(version);
        if (place == null) {
            return null;
        }
        Map<String, Optional<StoredObject>> undo = new HashMap<>();
        for (ChangeLog.Entry entry = place.next(); entry != null; entry = entry.next()) {
            if (entry.change != null) {
                undo.putIfAbsent(entry.change.last().name().key(), Optional.ofNullable(entry.change.before()));
            }
        }
        return undo;
    }
}
