package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimitersTests {

    private final ManualTimeSource time = new ManualTimeSource();

    @Test
    void exponentialDoublesUpToTheMaximum() {
        RateLimiter<String> limiter = RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000), 0);
        assertThat(IntStream.range(0, 20).mapToObj(i -> limiter.next("a", null).toMillis()))
                .startsWith(5L, 10L, 20L, 40L, 80L)
                .endsWith(655_360L, 1_000_000L, 1_000_000L);
        assertThat(limiter.retries("a")).isEqualTo(20);
    }

    @Test
    void exponentialKeepsKeysApartAndForgets() {
        RateLimiter<String> limiter = RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000), 0);
        limiter.next("a", null);
        limiter.next("a", null);
        assertThat(limiter.next("b", null)).isEqualTo(Duration.ofMillis(5));
        limiter.forget("a");
        assertThat(limiter.retries("a")).isZero();
        assertThat(limiter.next("a", null)).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void exponentialWhenFailuresAreManyStaysAtTheMaximum() {
        RateLimiter<String> limiter = RateLimiters.exponential(Duration.ofNanos(1), Duration.ofDays(100_000), 0);
        Duration last = Duration.ZERO;
        for (int i = 0; i < 1000; i++) {
            Duration next = limiter.next("a", null);
            assertThat(next).isGreaterThanOrEqualTo(last);
            last = next;
        }
        assertThat(last).isGreaterThan(Duration.ofDays(50_000));
    }

    @Test
    void exponentialWithJitterIsShorterByAtMostThatPart() {
        RateLimiter<String> least = RateLimiters.exponential(Duration.ofSeconds(1), Duration.ofHours(1), 0.2, () -> 0);
        RateLimiter<String> most =
                RateLimiters.exponential(Duration.ofSeconds(1), Duration.ofHours(1), 0.2, () -> 0.999_999);
        assertThat(least.next("a", null)).isEqualTo(Duration.ofSeconds(1));
        assertThat(most.next("a", null)).isBetween(Duration.ofMillis(800), Duration.ofMillis(801));
        assertThat(least.next("a", null)).isEqualTo(Duration.ofSeconds(2));
        assertThat(most.next("a", null)).isBetween(Duration.ofMillis(1600), Duration.ofMillis(1601));
    }

    @Test
    void defaultsAreFiveMillisecondsToThousandSecondsWithJitter() {
        RateLimiter<Integer> limiter = RateLimiters.defaults();
        List<Duration> first =
                IntStream.range(0, 100).mapToObj(key -> limiter.next(key, null)).toList();
        assertThat(first).allSatisfy(it -> assertThat(it).isBetween(Duration.ofMillis(4), Duration.ofMillis(5)));
        assertThat(first.stream().distinct().count()).as("distinct delays").isGreaterThan(50);
        for (int i = 0; i < 30; i++) {
            limiter.next(0, null);
        }
        assertThat(limiter.next(0, null)).isBetween(Duration.ofSeconds(800), Duration.ofSeconds(1000));
    }

    @Test
    void exponentialWhenSettingsAreWrongThrows() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.exponential(Duration.ZERO, second, 0))
                .withMessage("'base' must be positive, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.exponential(second, Duration.ofMillis(1), 0))
                .withMessage("'max' must not be less than 'base' (PT1S), was PT0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.exponential(second, second, 1))
                .withMessage("'jitter' must be at least 0 and below 1, was 1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiters.exponential(second, second, Double.NaN));
    }

    @Test
    void fastSlowChangesAfterTheGivenAttempts() {
        RateLimiter<String> limiter = RateLimiters.fastSlow(Duration.ofMillis(1), Duration.ofSeconds(9), 2);
        assertThat(delays(limiter, 4))
                .containsExactly(
                        Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(9), Duration.ofSeconds(9));
        limiter.forget("a");
        assertThat(limiter.retries("a")).isZero();
        assertThat(limiter.next("a", null)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void constantIsAlwaysTheSameAndCounts() {
        RateLimiter<String> limiter = RateLimiters.constant(Duration.ZERO);
        assertThat(delays(limiter, 3)).containsOnly(Duration.ZERO);
        assertThat(limiter.retries("a")).isEqualTo(3);
    }

    @Test
    void tokenBucketLetsABurstThroughAndThenKeepsTheRate() {
        RateLimiter<String> limiter = RateLimiters.tokenBucket(10, 3, time);
        assertThat(delays(limiter, 5))
                .containsExactly(
                        Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(200));
        time.advance(Duration.ofMillis(250));
        assertThat(limiter.next("b", null)).as("one bucket for all keys").isEqualTo(Duration.ofMillis(50));
        assertThat(limiter.retries("b")).isZero();
    }

    @Test
    void tokenBucketWhenLeftAloneFillsUpToTheBurst() {
        RateLimiter<String> limiter = RateLimiters.tokenBucket(10, 3, time);
        delays(limiter, 3);
        time.advance(Duration.ofMillis(100));
        assertThat(delays(limiter, 2)).containsExactly(Duration.ZERO, Duration.ofMillis(100));
        time.advance(Duration.ofHours(1));
        assertThat(delays(limiter, 4))
                .containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(100));
    }

    @Test
    void tokenBucketWhenSettingsAreWrongThrows() {
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiters.tokenBucket(0, 1, time));
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiters.tokenBucket(1.1e9, 1, time));
        assertThat(RateLimiters.tokenBucket(1e9, 1, time).retries("a")).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.tokenBucket(1, 0, time))
                .withMessage("'burst' must be at least 1, was 0");
    }

    @Test
    void maxOfTakesTheLongestDelayAndAsksAll() {
        RateLimiter<String> own = RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000), 0);
        RateLimiter<String> limiter = RateLimiters.maxOf(own, RateLimiters.tokenBucket(1, 2, time));
        assertThat(delays(limiter, 4))
                .containsExactly(
                        Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(limiter.retries("a")).isEqualTo(4);
        limiter.forget("a");
        assertThat(own.retries("a")).isZero();
        assertThatIllegalArgumentException().isThrownBy(RateLimiters::maxOf);
    }

    private static List<Duration> delays(RateLimiter<String> limiter, int count) {
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            delays.add(limiter.next("a", null));
        }
        return delays;
    }
}
