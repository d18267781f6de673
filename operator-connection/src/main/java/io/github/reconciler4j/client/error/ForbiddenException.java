package io.github.reconciler4j.client.error;

/**
 * The credentials are valid but lack the permission for this request (403). The message names verb and resource.
 *
 * @since 0.1.0
 */
public class ForbiddenException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 403 and reason {@code Forbidden}. */
    public ForbiddenException(String message) {
        this(message, ErrorDetails.of(403, "Forbidden"));
    }

    /** Create an exception with the given message and details. */
    public ForbiddenException(String message, ErrorDetails details) {
        super(message, details);
    }
}
