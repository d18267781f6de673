package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.client.internal.http.RequestMetrics;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Repeats a request where that is safe: after 429, which says that nothing was done, and, if carrying it out twice is the
 * same as once, after a cut connection or 5xx. At most 3 more times.
 */
final class Retries {

    private static final int MOST = 3;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private Retries() {}

    static ApiResponse run(ClientCall call, RequestMetrics metrics, Supplier<ApiResponse> attempt) {
        for (int failures = 0; ; failures++) {
            try {
                return attempt.get();
            } catch (ApiException e) {
                if (failures >= MOST || !mayRepeat(call, e)) {
                    throw e;
                }
                metrics.retry(call.request().method(), e.code() == 0 ? "<error>" : Integer.toString(e.code()));
                pause(call, e, failures);
            }
        }
    }

    private static boolean mayRepeat(ClientCall call, ApiException failure) {
        if (failure.retryAfter()
                .filter(wait -> wait.compareTo(LONGEST_PAUSE) > 0)
                .isPresent()) {
            return false;
        }
        if (failure instanceof TooManyRequestsException) {
            // An eviction is refused with 429 for minutes while a disruption budget is used up.
            return !call.subresource().equals("eviction");
        }
        if (failure instanceof ServerUnavailableException) {
            return call.idempotent() && failure.code() != 501 && failure.code() != 505;
        }
        return failure instanceof ConnectionException connection
                && connection.problem() == Problem.CONNECTION_RESET
                && call.idempotent();
    }

    private static void pause(ClientCall call, ApiException failure, int failures) {
        long backoff = Duration.ofMillis(50L << failures).toNanos();
        long jittered = (long) (backoff * (0.5 + ThreadLocalRandom.current().nextDouble()));
        long wanted = failure.retryAfter().map(Duration::toNanos).orElse(0L);
        try {
            TimeUnit.NANOSECONDS.sleep(Math.max(jittered, wanted));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    Call.describe(call) + ": interrupted while waiting to repeat the request");
        }
    }
}
