package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Backoff;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Position;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Running;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Wait;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkQueueSnapshotTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.<String>defaults("apps")
            .withTimeSource(time)
            .withRateLimiter(RateLimiters.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1), 0)));

    @Test
    void snapshotWhenEmptySaysSo() {
        WorkQueueSnapshot<String> snapshot = queue.snapshot();
        assertThat(snapshot.name()).isEqualTo("apps");
        assertThat(snapshot.depth()).isEmpty();
        assertThat(snapshot.running()).isZero();
        assertThat(snapshot.delayed()).isZero();
        assertThat(snapshot.backoff()).isZero();
        assertThat(snapshot.oldestWaiting()).isEmpty();
        assertThat(snapshot.longestRunning()).isEmpty();
        assertThat(snapshot.inBackoff()).isEmpty();
        assertThat(snapshot.shuttingDown()).isFalse();
    }

    @Test
    void findWhenUnknownReturnsEmpty() {
        queue.add("other");
        assertThat(queue.find("a")).isEmpty();
    }

    @Test
    void findSaysWhatAKeyWaitsForAndHowLong() {
        queue.addAfter("a", Duration.ofSeconds(5), 0);
        time.advance(Duration.ofSeconds(2));
        assertThat(queue.find("a")).hasValue(new Position(false, Wait.TIME, Duration.ofSeconds(3)));
        time.advance(Duration.ofSeconds(4));
        assertThat(queue.find("a")).hasValue(new Position(false, Wait.WORKER, Duration.ofSeconds(1)));
        queue.poll();
        assertThat(queue.find("a")).hasValue(new Position(true, Wait.NOTHING, Duration.ZERO));
        queue.addRateLimited("a", 0);
        assertThat(queue.find("a")).hasValue(new Position(true, Wait.BACKOFF, Duration.ofSeconds(1)));
        queue.done("a");
        assertThat(queue.find("a")).hasValue(new Position(false, Wait.BACKOFF, Duration.ofSeconds(1)));
        time.advance(Duration.ofSeconds(1));
        queue.poll();
        queue.done("a");
        assertThat(queue.find("a")).isEmpty();
    }

    @Test
    void snapshotWhenLimitIsZeroHasNoKeysInBackoff() {
        queue.addRateLimited("a", 0);
        WorkQueueSnapshot<String> snapshot = queue.snapshot(0);
        assertThat(snapshot.backoff()).isEqualTo(1);
        assertThat(snapshot.inBackoff()).isEmpty();
        assertThat(queue.name()).isEqualTo(snapshot.name());
    }

    @Test
    void snapshotWhenKeysOfAPriorityWereTakenLeavesItOut() {
        queue.add("a", 3);
        queue.add("b", 0);
        queue.poll();
        assertThat(queue.snapshot().depth()).containsExactly(Map.entry(0, 1));
        queue.add("a", 3);
        assertThat(queue.snapshot().depth()).containsExactly(Map.entry(3, 1), Map.entry(0, 1));
    }

    @Test
    void snapshotHasDepthByPriorityHighestFirst() {
        queue.add("a", -100);
        queue.add("b", 0);
        queue.add("c", 5);
        queue.poll();
        queue.add("c", 0);
        assertThat(queue.snapshot().depth()).containsExactly(Map.entry(0, 2), Map.entry(-100, 1));
    }

    @Test
    void snapshotHasOldestWaitingAndLongestRunning() {
        queue.add("low", -100);
        time.advance(Duration.ofSeconds(1));
        queue.add("first");
        queue.add("second");
        queue.poll();
        time.advance(Duration.ofSeconds(1));
        queue.poll();
        time.advance(Duration.ofSeconds(1));
        WorkQueueSnapshot<String> snapshot = queue.snapshot();
        assertThat(snapshot.oldestWaiting()).hasValue(new Waiting<>("low", -100, Duration.ofSeconds(3)));
        assertThat(snapshot.longestRunning()).hasValue(new Running<>("first", 0, Duration.ofSeconds(2)));
        assertThat(snapshot.running()).isEqualTo(2);
        queue.done("first");
        assertThat(queue.snapshot().longestRunning()).hasValue(new Running<>("second", 0, Duration.ofSeconds(1)));
    }

    @Test
    void snapshotHasKeysInBackoffNextOneFirst() {
        queue.addRateLimited("b", 1);
        queue.addRateLimited("b", 1);
        queue.addAfter("later", Duration.ofMillis(1500), 0);
        queue.addRateLimited("c", 0);
        queue.addRateLimited("c", 0);
        queue.addRateLimited("a", 0);
        time.advance(Duration.ofMillis(500));
        WorkQueueSnapshot<String> snapshot = queue.snapshot();
        assertThat(snapshot.delayed()).isEqualTo(4);
        assertThat(snapshot.backoff()).isEqualTo(3);
        assertThat(snapshot.inBackoff())
                .containsExactly(
                        new Backoff<>("b", 1, 2, Duration.ofMillis(500)),
                        new Backoff<>("c", 0, 2, Duration.ofMillis(500)),
                        new Backoff<>("a", 0, 1, Duration.ofMillis(500)));
    }

    @Test
    void snapshotWhenManyAreInBackoffListsTheNextOnes() {
        for (int i = 999; i >= 0; i--) {
            for (int failure = 0; failure <= i % 5; failure++) {
                queue.forget("key-" + i);
            }
            queue.addRateLimited("key-" + i, 0);
            time.advance(Duration.ofNanos(1000));
        }
        assertThat(queue.snapshot().inBackoff()).hasSize(100);
        List<Backoff<String>> first = queue.snapshot(3).inBackoff();
        assertThat(first).extracting(Backoff::item).containsExactly("key-999", "key-998", "key-997");
        assertThat(queue.snapshot().backoff()).isEqualTo(1000);
    }

    @Test
    void snapshotWhenKeyInBackoffIsWantedSoonerListsItNoLonger() {
        queue.addRateLimited("a", 0);
        queue.addRateLimited("b", 0);
        queue.add("a");
        queue.addAfter("b", Duration.ofMillis(1), 0);
        WorkQueueSnapshot<String> snapshot = queue.snapshot();
        assertThat(snapshot.inBackoff()).isEmpty();
        assertThat(snapshot.delayed()).isEqualTo(1);
    }

    @Test
    void snapshotHasTheOldestOfAllGroupsAndPriorities() {
        ManualTimeSource clock = new ManualTimeSource();
        WorkQueue<String> fair = WorkQueue.create(WorkQueueOptions.<String>defaults("test")
                .withTimeSource(clock)
                .withFairness(Fairness.between(key -> key.charAt(0))));
        fair.add("a-first");
        fair.done(fair.poll().item()); // so that group a comes after group b
        fair.add("a");
        clock.advance(Duration.ofSeconds(1));
        fair.add("b");
        clock.advance(Duration.ofSeconds(1));
        fair.add("c", 10);
        fair.add("d", -10);
        assertThat(fair.snapshot().oldestWaiting())
                .hasValueSatisfying(oldest -> assertThat(oldest.item()).isEqualTo("a"));
        fair.shutDown();
        assertThat(fair.snapshot().shuttingDown()).isTrue();
    }
}
