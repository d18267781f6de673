package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Details of the error response of an API server. Immutable and thread-safe.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * ErrorDetails details = ErrorDetails.of(429, "TooManyRequests").withRetryAfter(Duration.ofSeconds(2));
 * return new TooManyRequestsException("The server is busy", details);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ErrorDetails {

    private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

    private static final ErrorDetails NONE = new ErrorDetails(0, "", List.of(), null);

    private final int code;
    private final String reason;
    private final List<ApiException.Cause> causes;
    private final @Nullable Duration retryAfter;

    private ErrorDetails(int code, String reason, List<ApiException.Cause> causes, @Nullable Duration retryAfter) {
        this.code = code;
        this.reason = reason;
        this.causes = causes;
        this.retryAfter = retryAfter;
    }

    /** Return the details of an error without a response. */
    public static ErrorDetails none() {
        return NONE;
    }

    /**
     * Create details with the given status and reason.
     *
     * @param code the HTTP status, 0 without a response
     * @param reason the {@code reason} of the Kubernetes status, {@code ""} if it has no reason
     */
    public static ErrorDetails of(int code, String reason) {
        return new ErrorDetails(code, reason, List.of(), null);
    }

    /** Return a copy of these details with the given causes. */
    public ErrorDetails withCauses(List<ApiException.Cause> causes) {
        return new ErrorDetails(code, reason, List.copyOf(causes), retryAfter);
    }

    /**
     * Return a copy of these details with the given time that the server asks to wait. It is capped at 5 minutes, since
     * callers obey it: a server or a proxy that sends a year by mistake must not stop a controller.
     */
    public ErrorDetails withRetryAfter(Duration retryAfter) {
        Duration capped = retryAfter.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : retryAfter;
        return new ErrorDetails(code, reason, causes, capped);
    }

    /** Return the HTTP status, 0 without a response. */
    public int code() {
        return code;
    }

    /** Return the {@code reason} of the Kubernetes status, {@code ""} if it has no reason. */
    public String reason() {
        return reason;
    }

    /** Return which fields were rejected, and why; empty if the server did not report any. */
    public List<ApiException.Cause> causes() {
        return causes;
    }

    /** Return how long the server asks to wait before the next attempt. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public String toString() {
        return "ErrorDetails[code=" + code + ", reason=" + reason + ", causes=" + causes + ", retryAfter=" + retryAfter
                + "]";
    }
}
