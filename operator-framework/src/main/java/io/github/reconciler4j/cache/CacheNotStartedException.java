package io.github.reconciler4j.cache;

/**
 * A cache was read before {@link Cache#start}; what it would answer is not known yet.
 *
 * @since 0.1.0
 */
public class CacheNotStartedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public CacheNotStartedException(String message) {
        super(message);
    }
}
