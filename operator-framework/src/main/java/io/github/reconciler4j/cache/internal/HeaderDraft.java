package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.List;
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
    List<OwnerRef> owners = List.of();
    List<String> finalizers = List.of();

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
        owners = List.of();
        finalizers = List.of();
    }
}
