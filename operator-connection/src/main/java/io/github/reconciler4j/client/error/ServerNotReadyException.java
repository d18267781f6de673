package io.github.reconciler4j.client.error;

/**
 * The API server did not become ready in time, or cannot become ready without a change. The cause is the last failure.
 *
 * @since 0.1.0
 */
public class ServerNotReadyException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message and the last failure. */
    public ServerNotReadyException(String message, ApiException cause) {
        super(message, ErrorDetails.of(cause.code(), cause.reason()));
        initCause(cause);
    }
}
