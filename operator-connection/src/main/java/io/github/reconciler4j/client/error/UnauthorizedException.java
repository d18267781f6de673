package io.github.reconciler4j.client.error;

/**
 * The API server rejected the credentials (401).
 *
 * @since 0.1.0
 */
public class UnauthorizedException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 401 and reason {@code Unauthorized}. */
    public UnauthorizedException(String message) {
        this(message, ErrorDetails.of(401, "Unauthorized"));
    }

    /** Create an exception with the given message and details. */
    public UnauthorizedException(String message, ErrorDetails details) {
        super(message, details);
    }
}
