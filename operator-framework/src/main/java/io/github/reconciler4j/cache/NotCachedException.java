package io.github.reconciler4j.cache;

/**
 * The cache does not keep what was asked for, by its settings: the kind, the namespace, or the bodies of a kind of which
 * only metadata is kept. The message says which, and what to change. Trying again is useless; a live read may help.
 *
 * @since 0.1.0
 */
public class NotCachedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public NotCachedException(String message) {
        super(message);
    }
}
