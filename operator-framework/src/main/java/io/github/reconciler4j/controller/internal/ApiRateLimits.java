package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The rate limiter of controllers: how long failed requests wait, by what the API server said. */
final class ApiRateLimits {

    private static final int CONFLICT = 409;
    private static final int FORBIDDEN = 403;
    private static final Duration LONGEST_AFTER_CONFLICT = Duration.ofSeconds(5);
    private static final Duration FIRST_AFTER_QUOTA = Duration.ofSeconds(5);

    private ApiRateLimits() {}

    /**
     * A new limiter: 5 ms doubling to 1000 s; after a conflict not more than 5 s, as reading again mends it; after a used
     * up quota at least 5 s; and what a {@code Retry-After} asks for. All with jitter.
     */
    static RateLimiter<Object> defaults() {
        RateLimiter<Object> usual = RateLimiters.defaults();
        RateLimiter<Object> conflict = RateLimiters.exponential(
                RateLimiters.DEFAULT_BASE, LONGEST_AFTER_CONFLICT, RateLimiters.DEFAULT_JITTER);
        RateLimiter<Object> quota =
                RateLimiters.exponential(FIRST_AFTER_QUOTA, RateLimiters.DEFAULT_MAX, RateLimiters.DEFAULT_JITTER);
        RateLimiter<Object> byError = RateLimiters.byError()
                .when(ApiRateLimits::isConflict, conflict)
                .when(ApiRateLimits::isQuota, quota)
                .otherwise(usual);
        return RateLimiters.retryAfter(ApiRateLimits::askedFor, byError);
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof ApiException api && api.code() == CONFLICT;
    }

    /** The server refuses what is over a quota as forbidden, and tells it by the message alone. */
    private static boolean isQuota(Throwable failure) {
        return failure instanceof ApiException api
                && api.code() == FORBIDDEN
                && api.getMessage() != null
                && api.getMessage().contains("exceeded quota");
    }

    private static @Nullable Duration askedFor(Throwable failure) {
        return failure instanceof ApiException api ? api.retryAfter().orElse(null) : null;
    }
}
