package io.github.reconciler4j.client.error;

/**
 * The API server is overloaded, or an eviction is not allowed at the moment (429). {@link #retryAfter} returns when to try
 * again.
 *
 * @since 0.1.0
 */
public class TooManyRequestsException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 429 and reason {@code TooManyRequests}. */
    public TooManyRequestsException(String message) {
        this(message, ErrorDetails.of(429, "TooManyRequests"));
    }

    /** Create an exception with the given message and details. */
    public TooManyRequestsException(String message, ErrorDetails details) {
        super(message, details);
    }
}
