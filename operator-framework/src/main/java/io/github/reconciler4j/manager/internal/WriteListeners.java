package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.client.WriteListener;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Two listeners as one.
 *
 * @param first is told first
 * @param second is told then, also if the first throws
 */
record WriteListeners(WriteListener first, WriteListener second) implements WriteListener {

    @Override
    public void written(KindInfo kind, byte[] json) {
        try {
            first.written(kind, json);
        } finally {
            second.written(kind, json);
        }
    }

    @Override
    public void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json) {
        try {
            first.deleted(kind, key, uid, json);
        } finally {
            second.deleted(kind, key, uid, json);
        }
    }
}
