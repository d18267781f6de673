package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkQueueMetricsTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final Recorder recorder = new Recorder();
    private final WorkQueue<String> queue = WorkQueue.create(
            WorkQueueOptions.<String>defaults("test").withTimeSource(time).withMetrics(recorder));

    /** Keeps the values that it receives. */
    private static final class Recorder implements WorkQueueMetrics {
        private final Map<String, IntSupplier> depths = new TreeMap<>();
        private final List<Long> waited = new ArrayList<>();
        private final List<Long> worked = new ArrayList<>();
        private DoubleSupplier unfinishedWork;
        private DoubleSupplier longestRunning;
        private int added;
        private int retried;

        @Override
        public void depth(String priority, IntSupplier depth) {
            assertThat(depths.put(priority, depth)).as("announced before").isNull();
        }

        @Override
        public void unfinishedWork(DoubleSupplier seconds) {
            unfinishedWork = seconds;
        }

        @Override
        public void longestRunning(DoubleSupplier seconds) {
            longestRunning = seconds;
        }

        @Override
        public void added(int count) {
            added += count;
        }

        @Override
        public void retried() {
            retried++;
        }

        @Override
        public void waited(long nanos) {
            waited.add(nanos);
        }

        @Override
        public void worked(long nanos) {
            worked.add(nanos);
        }

        private int depth(int priority) {
            return depths.get(Integer.toString(priority)).getAsInt();
        }
    }

    @Test
    void addedCountsOncePerKeyThatBecomesReady() {
        queue.add("a");
        queue.add("a");
        queue.add("a", 3);
        assertThat(recorder.added).isEqualTo(1);
        queue.poll();
        queue.add("a");
        queue.add("a");
        assertThat(recorder.added).as("added again while processed").isEqualTo(2);
        queue.done("a");
        assertThat(recorder.added).isEqualTo(2);
    }

    @Test
    void addedWhenDelayedKeyBecomesReadyCountsOnce() {
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        assertThat(recorder.added).isZero();
        queue.add("a");
        time.advance(Duration.ofSeconds(2));
        assertThat(queue.size()).isEqualTo(1);
        assertThat(recorder.added).isEqualTo(1);
        queue.addAfter("b", Duration.ofSeconds(1), 0);
        time.advance(Duration.ofSeconds(1));
        queue.poll();
        assertThat(recorder.added).as("became due").isEqualTo(2);
    }

    @Test
    void addedWhenDelayedKeyBecomesDueInTakeCountsIt() throws Exception {
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        time.advance(Duration.ofSeconds(1));
        queue.take();
        assertThat(recorder.added).isEqualTo(1);
    }

    @Test
    void workedWhenNoTimePassedCountsIt() {
        queue.add("a");
        queue.poll();
        queue.done("a");
        queue.done("a");
        assertThat(recorder.worked).as("the second one is not processed").containsExactly(0L);
    }

    @Test
    void retriedWhenQueueIsShutDownDoesNotCount() {
        queue.shutDown();
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        assertThat(recorder.retried).isZero();
    }

    @Test
    void retriedWhenTheLimiterHasNoDelayCountsFailures() {
        WorkQueue<String> eager = WorkQueue.create(WorkQueueOptions.<String>defaults("eager")
                .withMetrics(recorder)
                .withRateLimiter(RateLimiters.exponential(Duration.ofNanos(1), Duration.ofNanos(1), 0.5)));
        for (int failure = 0; failure < 10; failure++) {
            eager.addRateLimited("a", 0);
        }
        assertThat(recorder.retried).isEqualTo(10);
    }

    @Test
    void retriedCountsDelayedAdds() {
        queue.add("a");
        queue.addAfter("a", Duration.ZERO, 0);
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        queue.addRateLimited("b", 0);
        assertThat(recorder.retried).isEqualTo(2);
    }

    @Test
    void depthMovesBetweenPriorities() {
        queue.add("a", -100);
        queue.add("b", -100);
        assertThat(recorder.depth(-100)).isEqualTo(2);
        queue.add("a", 0);
        assertThat(recorder.depth(-100)).isEqualTo(1);
        assertThat(recorder.depth(0)).isEqualTo(1);
        queue.poll();
        assertThat(recorder.depth(0)).isZero();
        queue.add("a", 0);
        assertThat(recorder.depth(0)).as("added again while processed").isEqualTo(1);
        queue.add("a", 5);
        assertThat(recorder.depth(0)).isZero();
        assertThat(recorder.depth(5)).isEqualTo(1);
    }

    @Test
    void depthWhenKeyIsDelayedCountsItWhenDue() {
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        assertThat(recorder.depths).isEmpty();
        time.advance(Duration.ofSeconds(1));
        queue.size();
        assertThat(recorder.depth(0)).isEqualTo(1);
    }

    @Test
    void depthWhenThereAreMoreThan25PrioritiesPutsTheRestTogether() {
        for (int priority = 0; priority < 30; priority++) {
            queue.add("a" + priority, priority);
            queue.add("b" + priority, priority);
        }
        assertThat(recorder.depths).hasSize(26).containsKey(WorkQueueMetrics.OTHER_PRIORITIES);
        assertThat(recorder.depths.get(WorkQueueMetrics.OTHER_PRIORITIES).getAsInt())
                .isEqualTo(10);
        assertThat(recorder.depth(7)).isEqualTo(2);
    }

    @Test
    void durationsAreMeasuredFromReadyToDequeueToDone() {
        queue.addAfter("a", Duration.ofNanos(100), 0);
        time.advance(Duration.ofNanos(130));
        queue.poll();
        time.advance(Duration.ofNanos(7));
        queue.add("a");
        queue.done("a");
        assertThat(recorder.waited).as("from when it was due").containsExactly(30L);
        assertThat(recorder.worked).containsExactly(7L);
        queue.done("a");
        assertThat(recorder.worked).as("not processed").hasSize(1);
    }

    @Test
    void gaugesMeasureHowLongKeysAreProcessed() {
        assertThat(recorder.unfinishedWork.getAsDouble()).isZero();
        assertThat(recorder.longestRunning.getAsDouble()).isZero();
        queue.add("a");
        queue.add("b");
        time.advance(Duration.ofSeconds(9));
        queue.poll();
        time.advance(Duration.ofSeconds(2));
        queue.poll();
        time.advance(Duration.ofSeconds(1));
        assertThat(recorder.unfinishedWork.getAsDouble()).isEqualTo(4.0);
        assertThat(recorder.longestRunning.getAsDouble()).isEqualTo(3.0);
    }

    @Test
    void metricsAreCalledWithoutTheLock() {
        List<String> seen = new ArrayList<>();
        CompletableFuture<WorkQueue<String>> created = new CompletableFuture<>();
        WorkQueueMetrics nosy = new EveryCall(what -> {
            if (created.isDone()) {
                CompletableFuture.supplyAsync(() -> created.join().size())
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join();
                seen.add(what);
            }
        });
        created.complete(
                WorkQueue.create(WorkQueueOptions.<String>defaults("test").withMetrics(nosy)));
        created.join().add("a");
        created.join().poll();
        created.join().addAfter("a", Duration.ofHours(1), 0);
        created.join().done("a");
        assertThat(seen).containsExactly("depth", "added", "waited", "retried", "worked");
    }

    @Test
    void metricsWhenTheyThrowDoNotBreakTheQueue() throws Exception {
        WorkQueueMetrics broken = new EveryCall(what -> {
            if (what.equals("added")) {
                throw new NoClassDefFoundError(what);
            }
            throw new IllegalStateException(what);
        });
        WorkQueue<String> fragile =
                WorkQueue.create(WorkQueueOptions.<String>defaults("test").withMetrics(broken));
        fragile.add("a");
        fragile.addAfter("b", Duration.ofMillis(1), 0);
        for (int i = 0; i < 2; i++) {
            fragile.done(fragile.take().item());
        }
        assertThat(fragile.snapshot().running()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"depth", "unfinishedWork", "longestRunning", "added", "retried", "waited", "worked"})
    void metricsWhenOneThrowsAreReportedOnce(String method) {
        WorkQueueMetrics broken = new EveryCall(what -> {
            if (what.equals(method)) {
                throw new IllegalStateException(what);
            }
        });
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.workqueue")) {
            WorkQueue<String> fragile =
                    WorkQueue.create(WorkQueueOptions.<String>defaults("test").withMetrics(broken));
            for (int i = 0; i < 2; i++) {
                fragile.add("a");
                fragile.done(fragile.poll().item());
                fragile.addAfter("b", Duration.ofHours(1), i);
            }
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "WARN The metrics of queue 'test' failed; values can be missing from now on +stack");
        }
    }

    /** Passes the name of each called method to an action. */
    private record EveryCall(Consumer<String> action) implements WorkQueueMetrics {

        @Override
        public void depth(String priority, IntSupplier depth) {
            action.accept("depth");
        }

        @Override
        public void unfinishedWork(DoubleSupplier seconds) {
            action.accept("unfinishedWork");
        }

        @Override
        public void longestRunning(DoubleSupplier seconds) {
            action.accept("longestRunning");
        }

        @Override
        public void added(int count) {
            action.accept("added");
        }

        @Override
        public void retried() {
            action.accept("retried");
        }

        @Override
        public void waited(long nanos) {
            action.accept("waited");
        }

        @Override
        public void worked(long nanos) {
            action.accept("worked");
        }
    }
}
