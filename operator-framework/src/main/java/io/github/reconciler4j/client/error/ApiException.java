package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The API server refused a request, or could not be reached. The message names verb, resource, object, status and
 * reason, and never holds the content of an object. Subclasses stand for what callers tell apart.
 *
 * @since 0.1.0
 */
public class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient List<Cause> causes;
    private final transient Optional<Duration> retryAfter;

    /**
     * Creates it.
     *
     * @param message the whole message
     * @param code the HTTP status, 0 if no answer came
     * @param reason the {@code reason} of the server's status, {@code ""} if there was none
     * @param causes what was wrong with which field
     * @param retryAfter how long the server asks to wait
     */
    public ApiException(String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.causes = List.copyOf(causes);
        this.retryAfter = retryAfter;
    }

    /** The HTTP status, 0 if no answer came. */
    public int code() {
        return code;
    }

    /** The {@code reason} of the server's status, {@code ""} if there was none. */
    public String reason() {
        return reason;
    }

    /** What was wrong with which field; empty if the server did not say. */
    public List<Cause> causes() {
        return causes;
    }

    /** How long the server asks to wait before the next try. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /**
     * One complaint about one field.
     *
     * @param field the path of the field
     * @param reason the kind of complaint, for instance {@code FieldValueInvalid}
     * @param message the complaint
     * @since 0.1.0
     */
    public record Cause(String field, String reason, String message) {}
}
