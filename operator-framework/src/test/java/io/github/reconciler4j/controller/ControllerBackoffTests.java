package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The delay of a failed request depends on the error. */
class ControllerBackoffTests {

    private static final Exception UNKNOWN = new IllegalStateException("unknown");
    private static final Exception CONFLICT =
            new ConflictException("the object has been modified", ErrorDetails.of(409, "Conflict"));
    private static final Exception QUOTA =
            new ForbiddenException("pods \"a\" is forbidden: exceeded quota: few", ErrorDetails.of(403, "Forbidden"));
    private static final Exception FORBIDDEN =
            new ForbiddenException("pods \"a\" is forbidden", ErrorDetails.of(403, "Forbidden"));
    private static final Exception BUSY = new TooManyRequestsException(
            "too many requests", ErrorDetails.of(429, "TooManyRequests").withRetryAfter(Duration.ofSeconds(30)));
    private static final int MANY = 40;

    /** The delay after so many failures in a row. */
    private static Duration delay(ControllerOptions options, Exception failure, int failures) {
        RateLimiter<Object> limiter = options.rateLimiter().get();
        Duration delay = Duration.ZERO;
        for (int i = 0; i < failures; i++) {
            delay = limiter.next("key", failure);
        }
        return delay;
    }

    private static Duration first(Exception failure) {
        return delay(ControllerOptions.defaults(), failure, 1);
    }

    private static Duration last(Exception failure) {
        return delay(ControllerOptions.defaults(), failure, MANY);
    }

    @Test
    void delayWhenErrorIsUnknownGrowsToTheMaximum() {
        assertThat(first(UNKNOWN)).isBetween(Duration.ofMillis(4), Duration.ofMillis(5));
        assertThat(last(UNKNOWN)).isBetween(Duration.ofSeconds(800), Duration.ofSeconds(1000));
    }

    @Test
    void delayWhenErrorIsAConflictStaysShort() {
        assertThat(first(CONFLICT)).isBetween(Duration.ofMillis(4), Duration.ofMillis(5));
        assertThat(last(CONFLICT)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    @Test
    void delayWhenQuotaIsExceededIsLongFromTheStart() {
        assertThat(first(QUOTA)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
        assertThat(last(QUOTA)).isBetween(Duration.ofSeconds(800), Duration.ofSeconds(1000));
    }

    @Test
    void delayWhenForbiddenForAnotherReasonIsTheUsualOne() {
        assertThat(first(FORBIDDEN)).isBetween(Duration.ofMillis(4), Duration.ofMillis(5));
        assertThat(last(FORBIDDEN)).isGreaterThan(Duration.ofSeconds(100));
        ApiException withoutMessage = new ApiException(null, ErrorDetails.of(403, "Forbidden"));
        assertThat(first(withoutMessage)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void delayWhenTheServerNamesOneIsThat() {
        assertThat(first(BUSY)).isEqualTo(Duration.ofSeconds(30));
        assertThat(last(BUSY)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void delayWhenTheErrorIsACauseIsThatOfTheCause() {
        assertThat(first(new ExecutionException(new IllegalStateException(QUOTA))))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
        assertThat(first(new ExecutionException(BUSY))).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void delayWhenBackoffIsSetStaysWithinItsLimits() {
        ControllerOptions shorter =
                ControllerOptions.defaults().withBackoff(Duration.ofSeconds(1), Duration.ofSeconds(3));
        assertThat(delay(shorter, CONFLICT, MANY)).isBetween(Duration.ofMillis(2400), Duration.ofSeconds(3));
        assertThat(delay(shorter, QUOTA, MANY)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
        ControllerOptions longer =
                ControllerOptions.defaults().withBackoff(Duration.ofSeconds(10), Duration.ofHours(1));
        assertThat(delay(longer, CONFLICT, 1)).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
        assertThat(delay(longer, CONFLICT, MANY)).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
        assertThat(delay(longer, QUOTA, 1)).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
        assertThat(delay(longer, QUOTA, MANY)).isBetween(Duration.ofMinutes(48), Duration.ofHours(1));
    }

    @Test
    void requestWhenItFailsWaitsAsLongAsItsErrorDemands() throws Exception {
        ControllerOptions options = ControllerOptions.defaults().withTimeSource(new ManualTimeSource());
        for (Exception failure : List.of(QUOTA, BUSY)) {
            try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
                throw failure;
            })) {
                fixture.started().channel.send(A);
                eventually("in backoff", () -> !backoff(fixture).isEmpty());
                assertThat(backoff(fixture).get(0).next()).isGreaterThan(Duration.ofSeconds(2));
                assertThat(fixture.runs).hasSize(1);
            }
        }
    }

    private static List<Backoff<Request>> backoff(ControllerFixture fixture) {
        return fixture.controller.operations().queue().orElseThrow().inBackoff();
    }
}
