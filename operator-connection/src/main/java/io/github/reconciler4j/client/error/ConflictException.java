package io.github.reconciler4j.client.error;

/**
 * The object has changed since it was read, or another field manager owns a field (409).
 *
 * @since 0.1.0
 */
public class ConflictException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, status 409 and reason {@code Conflict}. */
    public ConflictException(String message) {
        this(message, ErrorDetails.of(409, "Conflict"));
    }

    /** Create an exception with the given message and details. */
    public ConflictException(String message, ErrorDetails details) {
        super(message, details);
    }

    /** Return true, unless another field manager owns a field, which stays so. */
    @Override
    public boolean isTransient() {
        return causes().stream().noneMatch(cause -> cause.reason().equals("FieldManagerConflict"));
    }
}
