package io.github.reconciler4j.scheme;

/**
 * A class or a kind that the {@link Scheme} cannot name, or cannot name without ambiguity; the message says the mend.
 *
 * @since 0.1.0
 */
public class UnknownKindException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates it with a message that says what is unknown and what to do. */
    public UnknownKindException(String message) {
        super(message);
    }
}
