package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Delays that depend on what went wrong. */
class RateLimitersByErrorTests {

    private static final Duration USUAL = Duration.ofSeconds(1);

    private static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final class TooManyRequests extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int retryAfterSeconds;

        private TooManyRequests(int retryAfterSeconds) {
            this.retryAfterSeconds = retryAfterSeconds;
        }
    }

    private final RateLimiter<String> conflicts = RateLimiters.constant(Duration.ZERO);
    private final RateLimiter<String> network = RateLimiters.constant(Duration.ofMinutes(1));
    private final RateLimiter<String> limiter = RateLimiters.<String>byError()
            .when(Conflict.class, conflicts)
            .when(error -> error instanceof IOException, network)
            .otherwise(RateLimiters.retryAfter(
                    error -> error instanceof TooManyRequests it ? Duration.ofSeconds(it.retryAfterSeconds) : null,
                    RateLimiters.exponential(USUAL, Duration.ofHours(1), 0)));

    @Test
    void nextWhenARuleFitsUsesItsLimiter() {
        assertThat(limiter.next("a", new Conflict())).isZero();
        assertThat(limiter.next("a", new IOException())).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void nextWhenARuleFitsACauseUsesItsLimiter() {
        assertThat(limiter.next("a", new IllegalStateException(new UncheckedIOException(new IOException()))))
                .isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void nextWhenOuterErrorAndCauseFitPrefersTheOuter() {
        Conflict outer = new Conflict();
        outer.initCause(new IOException());
        assertThat(limiter.next("a", outer)).isZero();
    }

    @Test
    void nextWhenNoRuleFitsUsesTheOther() {
        assertThat(limiter.next("a", new IllegalStateException())).isEqualTo(USUAL);
        assertThat(limiter.next("b", null)).isEqualTo(USUAL);
    }

    @Test
    void nextWhenCausesFormACircleEnds() {
        Exception one = new Exception();
        Exception other = new Exception(one);
        one.initCause(other);
        assertThat(limiter.next("a", one)).isEqualTo(USUAL);
    }

    @Test
    void nextWhenErrorSaysWhenToComeBackObeys() {
        assertThat(limiter.next("a", new TooManyRequests(30))).isEqualTo(Duration.ofSeconds(30));
        assertThat(limiter.next("a", new IllegalStateException(new TooManyRequests(40))))
                .isEqualTo(Duration.ofSeconds(40));
        assertThat(limiter.next("a", new IllegalStateException()))
                .as("both were counted")
                .isEqualTo(USUAL.multipliedBy(4));
    }

    @Test
    void retriesCountsAllKindsOfFailuresUntilForgotten() {
        limiter.next("a", new Conflict());
        limiter.next("a", new IOException());
        limiter.next("a", new IllegalStateException());
        limiter.next("a", new TooManyRequests(1));
        assertThat(limiter.retries("a")).isEqualTo(4);
        limiter.forget("a");
        assertThat(limiter.retries("a")).isZero();
        assertThat(conflicts.retries("a")).isZero();
    }

    @Test
    void retriesWhenTwoRulesShareALimiterCountsItOnce() {
        RateLimiter<String> shared = RateLimiters.constant(Duration.ZERO);
        RateLimiter<String> rules = RateLimiters.<String>byError()
                .when(Conflict.class, shared)
                .when(IOException.class, shared)
                .otherwise(shared);
        rules.next("a", new Conflict());
        assertThat(rules.retries("a")).isEqualTo(1);
    }
}
