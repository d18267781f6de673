package io.github.reconciler4j.cache;

/**
 * Thrown when a cache is read before {@link Cache#start}.
 *
 * @since 0.1.0
 */
public class CacheNotStartedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the complete message. */
    public CacheNotStartedException(String message) {
        super(message);
    }
}
