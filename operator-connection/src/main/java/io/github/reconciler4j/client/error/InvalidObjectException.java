package io.github.reconciler4j.client.error;

/**
 * The API server rejected the object as invalid (422). {@link #causes} returns the fields. The same object will be rejected again.
 *
 * @since 0.1.0
 */
public class InvalidObjectException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 422 and reason {@code Invalid}. */
    public InvalidObjectException(String message) {
        this(message, ErrorDetails.of(422, "Invalid"));
    }

    /** Create an exception with the given message and details. */
    public InvalidObjectException(String message, ErrorDetails details) {
        super(message, details);
    }
}
