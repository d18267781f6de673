package io.github.reconciler4j.workqueue;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.support.internal.UserCall;
import java.time.Duration;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * The queue is linearizable: concurrent operations have the same results as some order of them. The system
 * property {@code lincheck.factor}, by default 1, multiplies how deep the tests look.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "priority", gen = IntGen.class, conf = "0:1")
public class WorkQueueLincheckTests {

    private static final int FACTOR = Integer.getInteger("lincheck.factor", 1);

    private final WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.<Integer>defaults("lincheck")
            .withTimeSource(new ManualTimeSource())
            .withRateLimiter(RateLimiters.constant(Duration.ofDays(2))));

    @Operation
    public void add(@Param(name = "key") int key, @Param(name = "priority") int priority) {
        queue.add(key, priority);
    }

    @Operation
    public void addAfter(@Param(name = "key") int key, @Param(name = "priority") int priority) {
        queue.addAfter(key, Duration.ofDays(1), priority);
    }

    @Operation
    public void addRateLimited(@Param(name = "key") int key, @Param(name = "priority") int priority) {
        queue.addRateLimited(key, priority);
    }

    @Operation
    public boolean cancel(@Param(name = "key") int key) {
        return queue.cancel(key);
    }

    @Operation
    public String snapshot() {
        WorkQueueSnapshot<Integer> now = queue.snapshot();
        int ready = now.depth().values().stream().mapToInt(depth -> depth).sum();
        return ready + " ready, " + now.delayed() + " delayed, " + now.running() + " running";
    }

    @Operation
    public String poll() {
        WorkItem<Integer> work = queue.poll();
        return work == null ? "nothing" : work.item() + " with priority " + work.priority();
    }

    @Operation
    public void done(@Param(name = "key") int key) {
        queue.done(key);
    }

    @Operation
    public int size() {
        return queue.size();
    }

    @Operation
    public void shutDown() {
        queue.shutDown();
    }

    /** The watch over callbacks knows all threads of the JVM, which Lincheck would take for the state of the queue. */
    @Test
    void operationsWhenInterleavedAreLinearizable() {
        new ModelCheckingOptions()
                .addGuarantee(forClasses(UserCall.class.getName()).allMethods().ignore())
                .sequentialSpecification(Sequential.class)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(10 * FACTOR)
                .invocationsPerIteration(30)
                .check(getClass());
    }

    @Test
    void operationsWhenConcurrentAreLinearizable() {
        new StressOptions()
                .sequentialSpecification(Sequential.class)
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(30 * FACTOR)
                .invocationsPerIteration(400)
                .check(getClass());
    }

    /** The same operations on the model. */
    public static final class Sequential {

        private final ModelQueue<Integer> queue = new ModelQueue<>(PriorityAging.defaults(), null);

        public void add(int key, int priority) {
            queue.add(key, priority, 0);
        }

        public void addAfter(int key, int priority) {
            queue.add(key, priority, Duration.ofDays(1).toNanos());
        }

        public void addRateLimited(int key, int priority) {
            queue.add(key, priority, Duration.ofDays(2).toNanos());
        }

        public boolean cancel(int key) {
            return queue.cancel(key);
        }

        public String snapshot() {
            return queue.size() + " ready, " + queue.delayed() + " delayed, " + queue.running() + " running";
        }

        public String poll() {
            Map.Entry<Integer, Integer> work = queue.poll();
            return work == null ? "nothing" : work.getKey() + " with priority " + work.getValue();
        }

        public void done(int key) {
            queue.done(key);
        }

        public int size() {
            return queue.size();
        }

        public void shutDown() {
            queue.shutDown();
        }
    }
}
