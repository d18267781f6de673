package io.github.reconciler4j.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A map of bounded size that drops the entry used least recently. Thread-safe; no caller's code runs under its lock except
 * {@code equals} and {@code hashCode} of the keys.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 * @since 0.1.0
 */
public final class LruMap<K, V> {

    private final ReentrantLock lock = new ReentrantLock();
    private final int maxSize;

    @GuardedBy("lock")
    private final LinkedHashMap<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** Creates an empty map. */
    public LruMap(int maxSize) {
        this.maxSize = maxSize;
    }

    /** The value of a key, null if there is none; the entry then counts as used. */
    public @Nullable V get(K key) {
        lock.lock();
        try {
            return entries.get(key);
        } finally {
            lock.unlock();
        }
    }

    /** Sets the value of a key and returns the previous one, null if there was none. */
    public @Nullable V put(K key, V value) {
        lock.lock();
        try {
            V previous = entries.put(key, value);
            if (entries.size() > maxSize) {
                Map.Entry<K, V> eldest = entries.entrySet().iterator().next();
                entries.remove(eldest.getKey());
            }
            return previous;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a key and returns its value, null if there was none. */
    public @Nullable V remove(K key) {
        lock.lock();
        try {
            return entries.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** Removes all entries. */
    public void clear() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The number of entries. */
    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }
}
