package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import org.jspecify.annotations.Nullable;

/** Tells the kinds of a cache of the program's own writes; those of kinds nobody asked for concern nobody. */
final class PendingWriteListener implements WriteListener {

    private final KindSlots kinds;

    PendingWriteListener(KindSlots kinds) {
        this.kinds = kinds;
    }

    @Override
    public void written(KindInfo kind, byte[] json) {
        KindSlot slot = kinds.known(kind.kind());
        if (slot != null) {
            slot.current().writeIntake().written(json);
        }
    }

    @Override
    public void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json) {
        KindSlot slot = kinds.known(kind.kind());
        if (slot != null) {
            slot.current().writeIntake().deleted(key, uid);
        }
    }

    @Override
    public void refused(KindInfo kind, ObjectKey key) {
        KindSlot slot = kinds.known(kind.kind());
        if (slot != null) {
            slot.current().writeIntake().refused(key);
        }
    }
}
