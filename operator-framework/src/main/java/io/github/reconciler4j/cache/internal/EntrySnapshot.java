package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.ObjectHeader;
import org.jspecify.annotations.Nullable;

/** An entry seen as an object of a class. {@code this} guards writes of {@code object}. */
final class EntrySnapshot<T extends HasMetadata> implements ObjectSnapshot<T> {

    private final Entry entry;
    private final ObjectDecoder<T> decoder;
    private volatile @Nullable T object;

    EntrySnapshot(Entry entry, ObjectDecoder<T> decoder) {
        this.entry = entry;
        this.decoder = decoder;
    }

    @Override
    public ObjectHeader header() {
        return entry;
    }

    @Override
    public T object() {
        T known = object;
        return known == null ? keep(decoder.decode(entry)) : known; // decoding runs the user's class: under no lock
    }

    /** Of two threads that decode at once, both get what the first one made. */
    private synchronized T keep(T made) {
        T known = object;
        if (known == null) {
            known = made;
            object = known;
        }
        return known;
    }

    /** Names the object, never its content. */
    @Override
    public String toString() {
        return entry.toString();
    }
}
