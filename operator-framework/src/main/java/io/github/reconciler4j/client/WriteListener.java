package io.github.reconciler4j.client;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Is told what the API server answered to each write that a {@link Client} made for real, before the write returns to
 * its caller: on the writing thread, in no particular order between threads. Lets a cache show a program its own writes.
 * Not told of dry runs, of writes whose answer did not come, and of answers that are not the object itself (scale,
 * eviction, tokens). Must be safe for use by many threads and must not block.
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
     * The object is now so; also after a deletion that waits for finalizers or a grace period.
     *
     * @param json the whole object as it came
     */
    void written(KindInfo kind, byte[] json);

    /**
     * The object is gone.
     *
     * @param uid its uid, {@code ""} if the server did not say
     * @param json the last state of the object if the server sent it
     */
    void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json);

    /**
     * The server refused a write for a reason that shows that the object is not as whoever wrote believed: it exists
     * already, does not exist, or has changed. Does nothing by default.
     */
    default void refused(KindInfo kind, ObjectKey key) {}
}
