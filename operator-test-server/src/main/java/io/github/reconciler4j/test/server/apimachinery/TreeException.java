package io.github.reconciler4j.test.server.apimachinery;

import java.util.List;

/**
 * A request that the API server refuses: what its {@code Status} answer says. Immutable; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class TreeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int httpStatus;
    private final String reason;
    private final transient List<Cause> causes;

    /**
     * Describes a refused request.
     *
     * @param httpStatus status code of the answer
     * @param reason the {@code reason} of the {@code Status}; empty for errors that the server does not classify
     * @param message the {@code message} of the {@code Status}
     * @param causes the {@code details.causes} of the {@code Status}; may be empty
     */
    public TreeException(int httpStatus, String reason, String message, List<Cause> causes) {
        super(message);
        this.httpStatus = httpStatus;
        this.reason = reason;
        this.causes = List.copyOf(causes);
    }

    /** Makes a 400 {@code BadRequest} without causes. */
    public static TreeException badRequest(String message) {
        return new TreeException(400, "BadRequest", message, List.of());
    }

    /** Makes the 422 that the server answers when a well-formed patch cannot be carried out; its text is always the same. */
    public static TreeException unprocessable() {
        return new TreeException(
                422, "Invalid", "the server rejected our request due to an error in our request", List.of());
    }

    /** Makes a 500 without a reason, the server's answer to errors that it does not classify. */
    public static TreeException internal(String message) {
        return new TreeException(500, "", message, List.of());
    }

    /** Returns the status code of the answer. */
    public int httpStatus() {
        return httpStatus;
    }

    /** Returns the {@code reason} of the {@code Status}, or an empty string. */
    public String reason() {
        return reason;
    }

    /** Returns the message; never null. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Returns the {@code details.causes} of the {@code Status}, never null. */
    public List<Cause> causes() {
        return causes;
    }
}
