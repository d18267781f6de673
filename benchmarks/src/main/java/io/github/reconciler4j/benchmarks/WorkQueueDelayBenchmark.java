package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.benchmarks.Keys.Key;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Delayed adds in a queue in which so many keys wait for a point in time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class WorkQueueDelayBenchmark {

    /** Keys that wait. */
    @Param({"1000", "1000000"})
    public int pending;

    private final SplittableRandom random = new SplittableRandom(1);
    private Key[] keys = new Key[0];
    private WorkQueue<Key> queue = WorkQueue.create(WorkQueueOptions.defaults("benchmark"));

    /** Delays all keys, by one to two hours. */
    @Setup
    public void setUp() {
        keys = Keys.create(pending);
        queue = WorkQueue.create(WorkQueueOptions.defaults("benchmark"));
        for (Key key : keys) {
            queue.addAfter(key, delay(), WorkQueue.DEFAULT_PRIORITY);
        }
    }

    /** A random key gets an earlier time, is then wanted at once, handed out, and delayed again. */
    @Benchmark
    public void moveTakeAndDelayAgain() throws InterruptedException {
        Key key = keys[random.nextInt(keys.length)];
        queue.addAfter(key, Duration.ofMinutes(30), WorkQueue.DEFAULT_PRIORITY);
        queue.add(key);
        WorkItem<Key> work = queue.take();
        if (work == null) {
            throw new IllegalStateException("the queue was shut down");
        }
        queue.addAfter(work.item(), delay(), WorkQueue.DEFAULT_PRIORITY);
        queue.done(work.item());
    }

    private Duration delay() {
        return Duration.ofMillis(3_600_000 + random.nextInt(3_600_000));
    }
}
