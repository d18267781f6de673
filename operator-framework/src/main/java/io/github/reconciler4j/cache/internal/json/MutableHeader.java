package io.github.reconciler4j.cache.internal.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of the object that was read last; the next object replaces it. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class MutableHeader {

    String namespace = "";
    String name = "";
    String uid = "";
    String version = "";
    String created = "";

    @Nullable
    String deletion;

    long generation;
    String[] labels = ArrayMap.NONE;
    String[] annotations = ArrayMap.NONE;
    String[] finalizers = ArrayMap.NONE;

    @Nullable
    PackedOwners owners;

    /** Create an empty header. */
    public MutableHeader() {}

    void clear() {
        namespace = "";
        name = "";
        uid = "";
        version = "";
        created = "";
        deletion = null;
        generation = 0;
        labels = ArrayMap.NONE;
        annotations = ArrayMap.NONE;
        finalizers = ArrayMap.NONE;
        owners = null;
    }

    /** Return the namespace, {@code ""} if it has none. */
    public String namespace() {
        return namespace;
    }

    /** Return the name, {@code ""} if it has none. */
    public String name() {
        return name;
    }

    /** Return the uid, {@code ""} if it has none. */
    public String uid() {
        return uid;
    }

    /** Return the resource version, {@code ""} if it has none. */
    public String version() {
        return version;
    }

    /** Return the creation timestamp as it stands, {@code ""} if it has none. */
    public String created() {
        return created;
    }

    /** Return the deletion timestamp as it stands, null if it has none. */
    public @Nullable String deletion() {
        return deletion;
    }

    /** Return the generation, 0 if it has none. */
    public long generation() {
        return generation;
    }

    /** Return names and values of labels in turn; must not be changed. */
    public String[] labels() {
        return labels;
    }

    /** Return names and values of annotations in turn; must not be changed. */
    public String[] annotations() {
        return annotations;
    }

    /** Return the finalizers; must not be changed. */
    public String[] finalizers() {
        return finalizers;
    }

    /** Return the owner references, null if it has none. */
    public @Nullable PackedOwners owners() {
        return owners;
    }

    /** Return the labels as a map. */
    public Map<String, String> labelMap() {
        return ArrayMap.of(labels);
    }

    /** Return the value of an annotation, null if it has none of that name. */
    public @Nullable String annotation(String annotation) {
        return ArrayMap.of(annotations).get(annotation);
    }

    /** Return the namespace and name, as a key does. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /**
     * An unmodifiable map over an array of names and values in turn. Created on demand, so that the store keeps arrays only.
     * Thread-safe as long as the array does not change.
     *
     * @since 0.1.0
     */
    public static final class ArrayMap extends AbstractMap<String, String> {

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
}
