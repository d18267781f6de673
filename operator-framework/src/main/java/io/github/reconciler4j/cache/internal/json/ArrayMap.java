package io.github.reconciler4j.cache.internal.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map over an array of names and values in turn. Created on demand, so that the store keeps arrays only.
 * Thread-safe as long as the array does not change.
 *
 * @since 0.1.0
 */
public final class ArrayMap extends AbstractMap<String, String> {

    /** The content of an empty map. */
    public static final String[] NONE = {};

    private final String[] pairs;

    private ArrayMap(String[] pairs) {
        this.pairs = pairs;
    }

    /** Return a map of names and values in turn. */
    public static Map<String, String> of(String[] pairs) {
        return pairs.length == 0 ? Map.of() : new ArrayMap(pairs);
    }

    @Override
    public @Nullable String get(Object key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(key)) {
                return pairs[i + 1];
            }
        }
        return null;
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return pairs.length / 2;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Entry<String, String>> {

        @Override
        public int size() {
            return pairs.length / 2;
        }

        @Override
        public Iterator<Entry<String, String>> iterator() {
            return new EntryIterator();
        }
    }

    private final class EntryIterator implements Iterator<Entry<String, String>> {

        private int at;

        @Override
        public boolean hasNext() {
            return at < pairs.length;
        }

        @Override
        public Entry<String, String> next() {
            if (at >= pairs.length) {
                throw new NoSuchElementException();
            }
            at += 2;
            return new SimpleImmutableEntry<>(pairs[at - 2], pairs[at - 1]);
        }
    }
}
