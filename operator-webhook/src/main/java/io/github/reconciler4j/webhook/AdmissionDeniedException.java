package io.github.reconciler4j.webhook;

/**
 * Thrown by a {@link Validator} or {@link Defaulter} to deny a request with one message, as status 403. To name the fields
 * that are invalid, use the methods of {@link Validation}.
 *
 * @since 0.1.0
 */
public class AdmissionDeniedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param message the message for the user
     */
    public AdmissionDeniedException(String message) {
        super(message);
    }
}
