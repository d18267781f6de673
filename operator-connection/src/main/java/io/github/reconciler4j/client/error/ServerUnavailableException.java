package io.github.reconciler4j.client.error;

/**
 * The API server, or a proxy in front of it, cannot process requests at the moment: status 502, 503 or 504, or any other 5xx
 * with a {@code Retry-After} header. A later attempt can succeed.
 *
 * @since 0.1.0
 */
public class ServerUnavailableException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 503 and reason {@code ServiceUnavailable}. */
    public ServerUnavailableException(String message) {
        this(message, ErrorDetails.of(503, "ServiceUnavailable"));
    }

    /** Create an exception with the given message and details. */
    public ServerUnavailableException(String message, ErrorDetails details) {
        super(message, details);
    }
}
