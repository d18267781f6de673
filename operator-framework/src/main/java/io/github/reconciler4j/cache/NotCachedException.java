package io.github.reconciler4j.cache;

/**
 * Thrown when the options exclude what was read from the cache: the kind, the namespace, or the bodies of a kind of which
 * only metadata is stored. The message says which, and what to change. A retry does not help; a live read can.
 *
 * @since 0.1.0
 */
public class NotCachedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the complete message. */
    public NotCachedException(String message) {
        super(message);
    }
}
