package io.github.reconciler4j.reconcile;

import java.time.Duration;
import java.util.Objects;

/**
 * Thrown by a reconciler, or by code that it calls, to end the reconciliation here and repeat it later. It is no failure: it is
 * neither counted nor logged as one, has no stack trace, and no {@link ErrorStatusHandler} is called. Also works as the cause of
 * another exception.
 *
 * <pre>{@code
 * throw new RequeueException("the primary is not ready", Duration.ofSeconds(10));
 * throw RequeueException.withBackoff("the read replica is behind");
 * }</pre>
 *
 * @since 0.1.0
 */
public class RequeueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Result result;

    /**
     * Create an exception that repeats the reconciliation after a delay, or earlier if something changes.
     *
     * @param message what it waits for
     * @param delay the time to wait; zero or less is at once
     */
    public RequeueException(String message, Duration delay) {
        this(message, Result.requeueAfter(Objects.requireNonNull(delay, "'delay' must not be null")));
    }

    private RequeueException(String message, Result result) {
        super(message, null, false, false);
        this.result = result;
    }

    /**
     * Create an exception that repeats the reconciliation with the growing delays of a failing request.
     *
     * @param message what it waits for
     */
    public static RequeueException withBackoff(String message) {
        return new RequeueException(message, Result.requeueWithBackoff());
    }

    /** Return what the reconciler would have returned. */
    public Result result() {
        return result;
    }
}
