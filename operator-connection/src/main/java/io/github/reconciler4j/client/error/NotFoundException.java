package io.github.reconciler4j.client.error;

/**
 * The object, its namespace or its kind does not exist (404).
 *
 * @since 0.1.0
 */
public class NotFoundException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 404 and reason {@code NotFound}. */
    public NotFoundException(String message) {
        this(message, ErrorDetails.of(404, "NotFound"));
    }

    /** Create an exception with the given message and details. */
    public NotFoundException(String message, ErrorDetails details) {
        super(message, details);
    }
}
