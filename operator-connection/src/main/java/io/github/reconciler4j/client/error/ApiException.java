package io.github.reconciler4j.client.error;

import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API server rejected a request, or could not be reached. The message contains verb, resource, object, status and reason,
 * and never the content of an object. Subclasses represent the errors that callers distinguish.
 *
 * @since 0.1.0
 */
public class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;

    private final transient @Nullable ErrorDetails details;

    /**
     * Create an exception.
     *
     * @param message the complete message; what ends a line is escaped, because servers and objects are part of it
     */
    public ApiException(String message, ErrorDetails details) {
        super(message == null ? null : Texts.escaped(message)); // tests of users pass null
        this.details = details;
    }

    /** Tests of users pass null, and nothing is left of the details when the exception was serialized. */
    private ErrorDetails details() {
        return details == null ? ErrorDetails.none() : details;
    }

    /** Return the HTTP status, 0 without a response. */
    public int code() {
        return details().code();
    }

    /** Return the {@code reason} of the Kubernetes status, {@code ""} if it has no reason. */
    public String reason() {
        return details().reason();
    }

    /**
     * Return whether the same request can succeed later without a change: the server is away or overloaded, or another
     * writer was first.
     */
    public boolean isTransient() {
        return code() == TOO_MANY_REQUESTS || code() >= SERVER_ERRORS;
    }

    /**
     * Return whether a failure was caused by an error of the API that is {@linkplain #isTransient() transient}. Never throws: an error
     * whose own methods fail is not transient.
     */
    public static boolean isTransient(Throwable failure) {
        ApiException cause = Causes.find(failure, ApiException.class);
        try {
            return cause != null && cause.isTransient();
        } catch (Throwable e) { // of a subclass
            return false;
        }
    }

    /** Return which fields were rejected, and why; empty if the server did not report any. */
    public List<Cause> causes() {
        return details().causes();
    }

    /** Return how long the server asks to wait before the next attempt; at most 5 minutes, even if it asks for more. */
    public Optional<Duration> retryAfter() {
        return details().retryAfter();
    }

    /**
     * A rejected field. Immutable.
     *
     * @param field the path of the field
     * @param reason the kind of error, for example {@code FieldValueInvalid}
     * @param message the description, without the value of the field
     * @since 0.1.0
     */
    public record Cause(String field, String reason, String message) {}
}
