package io.github.reconciler4j.client.error;

/**
 * The API server does not serve the kind, or not the subresource (404 that names no object). The message explains what to install or to
 * declare.
 *
 * @since 0.1.0
 */
public class KindNotServedException extends NotFoundException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 404 and reason {@code NotFound}. */
    public KindNotServedException(String message) {
        this(message, ErrorDetails.of(404, "NotFound"));
    }

    /** Create an exception with the given message and details. */
    public KindNotServedException(String message, ErrorDetails details) {
        super(message, details);
    }
}
