package io.github.reconciler4j.client.error;

/**
 * The thread was interrupted while it waited for a response. Its interrupt flag is set. The server may or may not have carried
 * out the request.
 *
 * @since 0.1.0
 */
public class RequestInterruptedException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message. */
    public RequestInterruptedException(String message) {
        super(message, ErrorDetails.none());
    }

    /** Return true. */
    @Override
    public boolean isTransient() {
        return true;
    }
}
