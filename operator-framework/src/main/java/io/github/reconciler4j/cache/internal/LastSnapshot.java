package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.event.ObjectSnapshot;
import org.jspecify.annotations.Nullable;

/** Lets all index functions of a class share one decoded object. Safe for use by many threads, at worst in vain. */
final class LastSnapshot<T extends HasMetadata> {

    private final ObjectDecoder<T> decoder;
    private volatile @Nullable Last<T> last;

    private record Last<T>(Entry entry, ObjectSnapshot<T> snapshot) {}

    LastSnapshot(ObjectDecoder<T> decoder) {
        this.decoder = decoder;
    }

    /** The snapshot of an entry, the same one as before if it is asked for several times in a row. */
    ObjectSnapshot<T> of(Entry entry) {
        Last<T> known = last;
        if (known != null && known.entry() == entry) {
            return known.snapshot();
        }
        ObjectSnapshot<T> snapshot = new EntrySnapshot<>(entry, decoder);
        last = new Last<>(entry, snapshot);
        return snapshot;
    }
}
