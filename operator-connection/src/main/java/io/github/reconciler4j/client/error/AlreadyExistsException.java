package io.github.reconciler4j.client.error;

/**
 * An object with this name already exists (409).
 *
 * @since 0.1.0
 */
public class AlreadyExistsException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 409 and reason {@code AlreadyExists}. */
    public AlreadyExistsException(String message) {
        this(message, ErrorDetails.of(409, "AlreadyExists"));
    }

    /** Create an exception with the given message and details. */
    public AlreadyExistsException(String message, ErrorDetails details) {
        super(message, details);
    }
}
