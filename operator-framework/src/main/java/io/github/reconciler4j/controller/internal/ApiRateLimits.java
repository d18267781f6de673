package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Creates the rate limiters of controllers, which choose the delay of a failed request by the answer of the API server.
 *
 * @since 0.1.0
 */
public final class ApiRateLimits {

    private static final int CONFLICT = 409;
    private static final int FORBIDDEN = 403;
    private static final Duration MAX_AFTER_CONFLICT = Duration.ofSeconds(5);
    private static final Duration MIN_AFTER_QUOTA = Duration.ofSeconds(5);

    private ApiRateLimits() {}

    /** Create a limiter with the defaults: 5 ms to 1000 s. */
    public static RateLimiter<Object> defaults() {
        return backoff(RateLimiters.DEFAULT_BASE, RateLimiters.DEFAULT_MAX);
    }

    /**
     * Create a limiter whose delays double from {@code initial} to {@code max}. A conflict waits at most 5 s, as reading
     * again resolves it; an exceeded quota waits at least 5 s; a {@code Retry-After} is obeyed. All have jitter.
     */
    public static RateLimiter<Object> backoff(Duration initial, Duration max) {
        RateLimiter<Object> usual = exponential(initial, max);
        RateLimiter<Object> conflict = exponential(initial, longer(initial, shorter(max, MAX_AFTER_CONFLICT)));
        Duration firstAfterQuota = longer(initial, MIN_AFTER_QUOTA);
        RateLimiter<Object> quota = exponential(firstAfterQuota, longer(max, firstAfterQuota));
        RateLimiter<Object> byError = RateLimiters.byError()
                .when(ApiRateLimits::isConflict, conflict)
                .when(ApiRateLimits::isQuota, quota)
                .otherwise(usual);
        return RateLimiters.retryAfter(ApiRateLimits::retryAfter, byError);
    }

    private static RateLimiter<Object> exponential(Duration initial, Duration max) {
        return RateLimiters.exponential(initial, max, RateLimiters.DEFAULT_JITTER);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof ApiException api && api.code() == CONFLICT;
    }

    /** The server answers an exceeded quota with 403, and only the message says that it is a quota. */
    private static boolean isQuota(Throwable failure) {
        return failure instanceof ApiException api
                && api.code() == FORBIDDEN
                && api.getMessage() != null
                && api.getMessage().contains("exceeded quota");
    }

    private static @Nullable Duration retryAfter(Throwable failure) {
        return failure instanceof ApiException api ? api.retryAfter().orElse(null) : null;
    }
}
