package io.github.reconciler4j.client.error;

/**
 * The plural or scope of a class differs from the one that the API server serves. The message names both and explains what to
 * change.
 *
 * @since 0.1.0
 */
public class KindMismatchException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message. */
    public KindMismatchException(String message) {
        super(message, ErrorDetails.of(0, "KindMismatch"));
    }
}
