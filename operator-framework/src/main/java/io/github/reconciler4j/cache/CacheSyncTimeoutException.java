package io.github.reconciler4j.cache;

/**
 * A watched kind did not become ready in time; the message says which, for how long, and what the last obstacle was.
 *
 * @since 0.1.0
 */
public class CacheSyncTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public CacheSyncTimeoutException(String message) {
        super(message);
    }
}
