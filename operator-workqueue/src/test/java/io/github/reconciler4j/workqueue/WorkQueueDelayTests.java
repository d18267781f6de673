package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Points in time, moved by hand. */
class WorkQueueDelayTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.<String>defaults("test")
            .withTimeSource(time)
            .withRateLimiter(RateLimiters.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000), 0)));

    @Test
    void pollWhenKeyIsDelayedReturnsItNotEarlierAndAsSoonAsItIsDue() {
        queue.addAfter("a", Duration.ofSeconds(10), 0);
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(queue.poll()).isNull();
        assertThat(queue.size()).as("delayed keys do not count").isZero();
        time.advance(Duration.ofNanos(1));
        assertThat(queue.size()).as("due keys count").isEqualTo(1);
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void addAfterWhenDelayedKeepsTheEarlierTimeAndTheHigherPriority() {
        queue.addAfter("a", Duration.ofSeconds(10), 0);
        queue.addAfter("a", Duration.ofSeconds(5), -100);
        queue.addAfter("a", Duration.ofSeconds(20), 3);
        time.advance(Duration.ofSeconds(5).minusNanos(1));
        assertThat(queue.poll()).isNull();
        time.advance(Duration.ofNanos(1));
        WorkItem<String> work = queue.poll();
        assertThat(work).isNotNull();
        assertThat(work.priority()).isEqualTo(3);
        queue.done("a");
        time.advance(Duration.ofMinutes(1));
        assertThat(queue.poll()).as("only once").isNull();
    }

    @Test
    void pollWhenHighPriorityIsDueTakesItBeforeLowerReadyOnes() {
        queue.addAfter("urgent", Duration.ofSeconds(1), 10);
        queue.add("a");
        queue.add("b");
        time.advance(Duration.ofSeconds(1));
        assertThat(drain()).containsExactly("urgent", "a", "b");
    }

    @Test
    void pollWhenKeysBecameReadyBetweenAddsKeepsThatOrder() {
        queue.addAfter("due at 5", Duration.ofSeconds(5), 0);
        queue.addAfter("due at 3", Duration.ofSeconds(3), 0);
        time.advance(Duration.ofSeconds(4));
        queue.add("added at 4");
        time.advance(Duration.ofSeconds(2));
        queue.add("added at 6");
        assertThat(drain()).containsExactly("due at 3", "added at 4", "due at 5", "added at 6");
    }

    @Test
    void pollWhenSeveralAreDueTakesThemInDueOrder() {
        queue.addAfter("c", Duration.ofSeconds(3), 0);
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        queue.addAfter("b", Duration.ofSeconds(2), 0);
        queue.addAfter("b2", Duration.ofSeconds(2), 0);
        time.advance(Duration.ofSeconds(3));
        assertThat(drain()).containsExactly("a", "b", "b2", "c");
    }

    @Test
    void addAfterWhenTimeIsTheSameKeepsThePlaceOfTheKey() {
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        queue.addAfter("b", Duration.ofSeconds(1), 0);
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        time.advance(Duration.ofSeconds(1));
        assertThat(drain()).containsExactly("a", "b");
    }

    @Test
    void addAfterWhenDelayIsNegativeMeansNow() {
        queue.addAfter("a", Duration.ofSeconds(-1), 0);
        queue.addAfter("b", Duration.ZERO, 0);
        assertThat(drain()).containsExactly("a", "b");
    }

    @Test
    void cancelTakesBackADelayedKeyOnlyAndLeavesNothingBehind() {
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        queue.addRateLimited("b", 0);
        queue.add("c");
        assertThat(queue.cancel("a")).isTrue();
        assertThat(queue.cancel("b")).isTrue();
        assertThat(queue.cancel("c")).as("ready").isFalse();
        assertThat(queue.cancel("d")).as("unknown").isFalse();
        assertThat(queue.snapshot().delayed()).isZero();
        assertThat(queue.snapshot().backoff()).isZero();
        time.advance(Duration.ofDays(1));
        assertThat(queue.poll().item()).isEqualTo("c");
        assertThat(queue.poll()).isNull();
        assertThat(queue.retries("b")).as("failures stay counted").isEqualTo(1);
        queue.addAfter("c", Duration.ofSeconds(1), 0);
        assertThat(queue.cancel("c")).as("delayed while it runs").isTrue();
        queue.done("c");
        time.advance(Duration.ofDays(1));
        assertThat(queue.poll()).isNull();
    }

    @Test
    void addAfterWhenDelayIsHugeWaits() {
        queue.addAfter("a", Duration.ofSeconds(Long.MAX_VALUE), 0);
        time.advance(Duration.ofDays(10_000));
        assertThat(queue.poll()).isNull();
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        time.advance(Duration.ofSeconds(1));
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void addRateLimitedWhenSeveralKeysFailGivesEachItsOwnDelay() {
        queue.addRateLimited("a", 0);
        queue.addRateLimited("b", 0);
        time.advance(Duration.ofMillis(5));
        assertThat(drain()).containsExactly("a", "b");
        queue.addRateLimited("a", 0);
        queue.addRateLimited("c", 0);
        time.advance(Duration.ofMillis(5));
        assertThat(drain()).containsExactly("c");
        time.advance(Duration.ofMillis(5));
        assertThat(drain()).containsExactly("a");
        assertThat(queue.retries("a")).isEqualTo(2);
        assertThat(queue.retries("b")).isEqualTo(1);
    }

    @Test
    void addRateLimitedWhenForgottenStartsFromTheFirstDelay() {
        queue.addRateLimited("a", 0);
        queue.addRateLimited("a", 0);
        assertThat(queue.retries("a")).isEqualTo(2);
        queue.forget("a");
        assertThat(queue.retries("a")).isZero();
        time.advance(Duration.ofMillis(5));
        assertThat(drain()).as("forgetting does not remove the key").containsExactly("a");
        queue.addRateLimited("a", 0);
        time.advance(Duration.ofMillis(5));
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void addAfterAndRateLimitedWhenBothAreGivenTheEarlierCounts() {
        queue.addAfter("a", Duration.ofMillis(3), 0);
        queue.addRateLimited("a", 0);
        queue.addRateLimited("b", 0);
        queue.addAfter("b", Duration.ofMillis(8), 0);
        time.advance(Duration.ofMillis(3));
        assertThat(drain()).containsExactly("a");
        time.advance(Duration.ofMillis(2));
        assertThat(drain()).containsExactly("b");
        time.advance(Duration.ofMinutes(1));
        assertThat(drain()).isEmpty();
    }

    @Test
    void pollWhenSomeAreInBackoffTakesAllInDueOrder() {
        queue.addAfter("c", Duration.ofMillis(7), 0);
        queue.addRateLimited("b", 0);
        queue.addAfter("a", Duration.ofMillis(3), 0);
        queue.addRateLimited("d", 0);
        queue.addRateLimited("d", 0);
        queue.forget("d");
        time.advance(Duration.ofMillis(10));
        assertThat(drain()).containsExactly("a", "b", "d", "c");
    }

    @Test
    void addRateLimitedWhenTheLimiterThrowsDelaysByASecond() {
        RateLimiter<String> broken = RateLimiters.<String>byError()
                .when(
                        error -> {
                            throw new IllegalStateException("broken");
                        },
                        RateLimiters.defaults())
                .otherwise(RateLimiters.defaults());
        WorkQueue<String> fragile = WorkQueue.create(
                WorkQueueOptions.<String>defaults("test").withTimeSource(time).withRateLimiter(broken));
        try (CapturedLog log = CapturedLog.of(WorkQueue.class.getName())) {
            fragile.addRateLimited("a", 0, new Exception());
            time.advance(WorkQueue.DELAY_WHEN_LIMITER_FAILS.minusNanos(1));
            assertThat(fragile.poll()).isNull();
            time.advance(Duration.ofNanos(1));
            assertThat(fragile.poll()).isNotNull();
            for (int i = 0; i < 100; i++) {
                fragile.addRateLimited("key-" + i, 0, new Exception());
            }
            assertThat(log.lines(Level.WARN)).singleElement().asString().endsWith("+stack");
        }
    }

    @Test
    void manyKeysWhenDueTogetherAreAllDequeued() {
        int count = 200_000;
        for (int i = 0; i < count; i++) {
            queue.addAfter("key-" + i, Duration.ofMillis(i % 1000), 0);
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(queue.size()).isEqualTo(count);
        assertThat(drain()).hasSize(count).doesNotHaveDuplicates();
        assertThat(queue.snapshot().running()).isZero();
    }

    private List<String> drain() {
        List<String> drained = new ArrayList<>();
        for (WorkItem<String> work = queue.poll(); work != null; work = queue.poll()) {
            drained.add(work.item());
            queue.done(work.item());
        }
        return drained;
    }
}
