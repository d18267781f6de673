package io.github.reconciler4j.event;

import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * An object at one moment. The header is at hand; the object itself is decoded when first asked for, at most once per
 * snapshot. Safe for use by many threads.
 *
 * @param <T> the class the object is decoded into
 * @since 0.1.0
 */
public interface ObjectSnapshot<T> {

    /** The object's metadata; costs nothing. */
    ObjectHeader header();

    /**
     * The object, decoded on the first call and the same instance afterwards. It is shared by all who look at the same
     * event, so it must not be changed.
     *
     * @throws RuntimeException (the client's decode error) if the object does not fit its class
     */
    T object();

    /** Namespace and name. */
    default ObjectKey key() {
        return header().key();
    }
}
