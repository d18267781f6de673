package io.github.reconciler4j.scheme;

/**
 * Thrown when a {@link Scheme} does not know a class or a kind, or when it is ambiguous. The message says how to fix it.
 *
 * @since 0.1.0
 */
public class UnknownKindException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with a message that says what is unknown and what to do. */
    public UnknownKindException(String message) {
        super(message);
    }
}
