package io.github.reconciler4j.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A map of bounded size that drops the least recently used entry. Thread-safe. Of the caller's code only {@code equals} and
 * {@code hashCode} of the keys run under its lock.
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

    /**
     * Create an empty map.
     *
     * @throws IllegalArgumentException if the size is less than 1
     */
    public LruMap(int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("'maxSize' must be at least 1, was " + maxSize);
        }
        this.maxSize = maxSize;
    }

    /** Return the value of a key, or null. The entry counts as used. */
    public @Nullable V get(K key) {
        lock.lock();
        try {
            return entries.get(key);
        } finally {
            lock.unlock();
        }
    }

    /** Set the value of a key. Return the previous value, or null. */
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

    /** Remove a key. Return its value, or null. */
    public @Nullable V remove(K key) {
        lock.lock();
        try {
            return entries.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** Remove all entries. */
    public void clear() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Return the number of entries. */
    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }
}
