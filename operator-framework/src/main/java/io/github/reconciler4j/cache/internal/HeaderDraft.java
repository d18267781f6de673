package io.github.reconciler4j.cache.internal;

import org.jspecify.annotations.Nullable;

/** The metadata of one object while it is being read; used again for the next one. To be used by one thread. */
final class HeaderDraft {

    String namespace = "";
    String name = "";
    String uid = "";
    String version = "";
    String created = "";

    @Nullable
    String deletion;

    long generation;
    String[] labels = SmallMap.NONE;
    String[] annotations = SmallMap.NONE;
    String[] finalizers = SmallMap.NONE;

    @Nullable
    PackedOwner owners;

    void clear() {
        namespace = "";
        name = "";
        uid = "";
        version = "";
        created = "";
        deletion = null;
        generation = 0;
        labels = SmallMap.NONE;
        annotations = SmallMap.NONE;
        finalizers = SmallMap.NONE;
        owners = null;
    }
}
