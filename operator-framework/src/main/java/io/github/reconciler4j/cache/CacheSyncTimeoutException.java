package io.github.reconciler4j.cache;

/**
 * Thrown when a kind does not sync in time. The message says which kind, how long the caller waited, and the last failure.
 *
 * @since 0.1.0
 */
public class CacheSyncTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the complete message. */
    public CacheSyncTimeoutException(String message) {
        super(message);
    }
}
