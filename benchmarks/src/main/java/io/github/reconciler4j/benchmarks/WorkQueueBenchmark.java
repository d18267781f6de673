package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.benchmarks.Keys.Key;
import io.github.reconciler4j.workqueue.Fairness;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
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

/** A key goes in, is handed out and is done, by one thread: throughput in whole rounds. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class WorkQueueBenchmark {

    /** Distinct keys. */
    @Param({"1", "100000"})
    public int keys;

    /** Whether workers are divided between the namespaces. */
    @Param({"false", "true"})
    public boolean fair;

    private Key[] all = new Key[0];
    private WorkQueue<Key> queue = WorkQueue.create(WorkQueueOptions.defaults("benchmark"));
    private int index;

    /** Makes the keys and the queue. */
    @Setup
    public void setUp() {
        all = Keys.create(keys);
        WorkQueueOptions<Key> options = WorkQueueOptions.defaults("benchmark");
        queue = WorkQueue.create(fair ? options.withFairness(Fairness.between(Key::namespace)) : options);
    }

    /** Add, take, done, in an otherwise empty queue. */
    @Benchmark
    public WorkItem<Key> addTakeDone() throws InterruptedException {
        if (++index >= all.length) {
            index = 0;
        }
        queue.add(all[index]);
        WorkItem<Key> work = queue.take();
        if (work == null) {
            throw new IllegalStateException("the queue was shut down");
        }
        queue.done(work.item());
        return work;
    }
}
