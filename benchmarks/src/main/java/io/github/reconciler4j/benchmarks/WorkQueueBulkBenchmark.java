package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.benchmarks.Keys.Key;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Whole pieces of work, by the time each takes from the first add until everything is done. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5)
@Measurement(iterations = 10)
public class WorkQueueBulkBenchmark {

    private static final int DRAINED = 20_000;
    private static final int DISTINCT = 100_000;
    private static final int ADDS = 1_000_000;

    /** Threads that take. */
    @Param({"1", "4", "10"})
    public int workers;

    private Key[] keys = new Key[0];
    private WorkQueue<Key> queue = WorkQueue.create(WorkQueueOptions.defaults("benchmark"));

    /** Makes the keys. */
    @Setup(Level.Trial)
    public void makeKeys() {
        keys = Keys.create(DISTINCT);
    }

    /** Makes an empty queue. */
    @Setup(Level.Iteration)
    public void makeQueue() {
        queue = WorkQueue.create(WorkQueueOptions.defaults("benchmark"));
    }

    /** 20,000 keys are in the queue when the workers start. */
    @Benchmark
    public boolean drain() throws InterruptedException {
        for (int i = 0; i < DRAINED; i++) {
            queue.add(keys[i]);
        }
        List<Thread> threads = startWorkers();
        return finish(threads);
    }

    /** One producer adds 1,000,000 times over 100,000 keys while the workers take. */
    @Benchmark
    public boolean produceAndConsume() throws InterruptedException {
        List<Thread> threads = startWorkers();
        int index = 0;
        for (int i = 0; i < ADDS; i++) {
            queue.add(keys[index]);
            if (++index == DISTINCT) {
                index = 0;
            }
        }
        return finish(threads);
    }

    private List<Thread> startWorkers() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            Thread thread = new Thread(this::work, "worker-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private boolean finish(List<Thread> threads) throws InterruptedException {
        if (!queue.shutDownWithDrain(Duration.ofMinutes(1))) {
            throw new IllegalStateException("the queue was not drained in a minute");
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return true;
    }

    private void work() {
        try {
            for (WorkItem<Key> work = queue.take(); work != null; work = queue.take()) {
                queue.done(work.item());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
