package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An entry whose object is decoded on its first use. Thread-safe.
 *
 * @param <T> the type of the object
 * @since 0.1.0
 */
public final class EntrySnapshot<T> implements ObjectSnapshot<T> {

    private final Entry entry;
    private final EntryDecoder<T> decoder;
    private volatile @Nullable T object;

    /** Create a snapshot of an entry. */
    public EntrySnapshot(Entry entry, EntryDecoder<T> decoder) {
        this.entry = entry;
        this.decoder = decoder;
    }

    /** Return the entry. */
    public Entry entry() {
        return entry;
    }

    @Override
    public ObjectHeader header() {
        return entry;
    }

    @Override
    public ObjectKey key() {
        return entry.key();
    }

    @Override
    public Set<String> blockedOwners() {
        return entry.blockedOwners();
    }

    @Override
    public T object() {
        T known = object;
        return known == null ? keep(decoder.decode(entry)) : known; // decoding runs the user's class: under no lock
    }

    /** Of two threads that decode at the same time, both get what the first one made. */
    private synchronized T keep(T made) {
        T known = object;
        if (known == null) {
            known = made;
            object = known;
        }
        return known;
    }

    /** Return the name of the object and its version, never its content. */
    @Override
    public String toString() {
        return entry.toString();
    }
}
