package io.github.reconciler4j.client.internal.spi;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Receives the response of the API server to each write of a client, before the write returns, on the writing thread and
 * unordered between threads. A cache uses it to show a program its own writes. Not called for dry runs, for writes without a
 * response, and for responses that are not the object (scale, eviction, tokens). Implementations are thread-safe and do not
 * block.
 *
 * @since 0.1.0
 */
public interface WriteListener {

    /** Does nothing. */
    WriteListener NONE = new WriteListener() {
        @Override
        public void written(KindInfo kind, byte[] json) {}

        @Override
        public void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json) {}
    };

    /**
     * Receive the state of an object after a write, or after a deletion that waits for finalizers or a grace period.
     *
     * @param json the whole object as the server sent it
     */
    void written(KindInfo kind, byte[] json);

    /**
     * Receive the deletion of an object.
     *
     * @param uid the uid of the object, {@code ""} if the server did not send it
     * @param json the last state of the object if the server sent it
     */
    void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json);

    /**
     * Receive the refusal of a write that shows that the object is not in the state that the writer assumed: it exists
     * already, does not exist, or has changed. Also receive each object of a deletion of many that may remain for a while. Does
     * nothing by default.
     */
    default void refused(KindInfo kind, ObjectKey key) {}

    /** Receive that a write was sent and got no answer, so that it may have been carried out. Does nothing by default. */
    default void unanswered(KindInfo kind, ObjectKey key) {}
}
