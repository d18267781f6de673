package io.github.reconciler4j.client.error;

/**
 * The API server failed to process this request: status 500 without a {@code Retry-After} header. The usual cause is an
 * admission or conversion webhook that fails for the object, so the same request is likely to fail again.
 *
 * @since 0.1.0
 */
public class InternalErrorException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 500 and reason {@code InternalError}. */
    public InternalErrorException(String message) {
        this(message, ErrorDetails.of(500, "InternalError"));
    }

    /** Create an exception with the given message and details. */
    public InternalErrorException(String message, ErrorDetails details) {
        super(message, details);
    }
}
