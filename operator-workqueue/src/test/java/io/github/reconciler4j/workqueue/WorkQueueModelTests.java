package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * The queue does what {@link ModelQueue} does, for any operations in any order. The system property
 * {@code jqwik.tries.default}, by default 1000, is the number of orders that are tried.
 */
class WorkQueueModelTests {

    private static final PriorityAging AGING =
            PriorityAging.defaults().withAfter(Duration.ofNanos(20)).withEvery(3);
    private static final long BACKOFF = 10;

    /** One thing to do with both queues. */
    sealed interface Step {}

    record Add(int key, int priority, long delay) implements Step {}

    record AddRateLimited(int key, int priority) implements Step {}

    record Poll() implements Step {}

    record Done(int key) implements Step {}

    record Advance(long nanos) implements Step {}

    record Cancel(int key) implements Step {}

    record Workers(int count) implements Step {}

    record ShutDown() implements Step {}

    @Property
    void stepsWhenRandomDoTheSameAsTheModel(@ForAll("steps") List<Step> steps) {
        run(steps, AGING, null);
    }

    @Property(tries = 500)
    void stepsWhenAgeingIsOffDoTheSameAsTheModel(@ForAll("steps") List<Step> steps) {
        run(steps, PriorityAging.off(), null);
    }

    @Property
    void stepsWhenFairDoTheSameAsTheModel(@ForAll("steps") List<Step> steps) {
        run(steps, AGING, Fairness.between(key -> key % 3));
    }

    @Property
    void stepsWhenFairWithLimitDoTheSameAsTheModel(@ForAll("steps") List<Step> steps) {
        run(steps, AGING, Fairness.<Integer>between(key -> key % 3).withMaxRunning(2));
    }

    @Property
    void stepsWhenFairWithShareDoTheSameAsTheModel(@ForAll("steps") List<Step> steps) {
        run(steps, AGING, Fairness.<Integer>between(key -> key % 3).withShare(0.5));
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> keys = Arbitraries.integers().between(0, 11);
        Arbitrary<Integer> priorities = Arbitraries.frequency(Tuple.of(5, 0), Tuple.of(3, -100), Tuple.of(1, 7));
        Arbitrary<Long> delays = Arbitraries.longs().between(-1, 30);
        Arbitrary<Step> add = Combinators.combine(keys, priorities).as((key, priority) -> new Add(key, priority, 0));
        Arbitrary<Step> addAfter = Combinators.combine(keys, priorities, delays).as(Add::new);
        Arbitrary<Step> addRateLimited = Combinators.combine(keys, priorities).as(AddRateLimited::new);
        Arbitrary<Step> advance = Arbitraries.longs().between(0, 15).map(Advance::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(30, add),
                        Tuple.of(20, addAfter),
                        Tuple.of(10, addRateLimited),
                        Tuple.of(35, Arbitraries.create(Poll::new)),
                        Tuple.of(35, keys.map(Done::new)),
                        Tuple.of(15, advance),
                        Tuple.of(6, keys.map(Cancel::new)),
                        Tuple.of(3, Arbitraries.integers().between(0, 7).map(Workers::new)),
                        Tuple.of(1, Arbitraries.create(ShutDown::new)))
                .list()
                .ofMaxSize(150);
    }

    private static void run(List<Step> steps, PriorityAging aging, Fairness<Integer> fairness) {
        ManualTimeSource time = new ManualTimeSource();
        WorkQueueOptions<Integer> options = WorkQueueOptions.<Integer>defaults("model")
                .withTimeSource(time)
                .withRateLimiter(RateLimiters.constant(Duration.ofNanos(BACKOFF)))
                .withAging(aging);
        WorkQueue<Integer> queue = WorkQueue.create(fairness == null ? options : options.withFairness(fairness));
        ModelQueue<Integer> model = new ModelQueue<>(aging, fairness);
        for (Step step : steps) {
            apply(step, queue, model, time);
            WorkQueueSnapshot<Integer> snapshot = queue.snapshot();
            assertThat(queue.size()).as("size").isEqualTo(model.size());
            assertThat(snapshot.delayed()).as("delayed").isEqualTo(model.delayed());
            assertThat(snapshot.running()).as("running").isEqualTo(model.running());
            assertThat(snapshot.depth().values().stream().mapToInt(it -> it).sum())
                    .as("sum of depths")
                    .isEqualTo(model.size());
        }
    }

    private static void apply(Step step, WorkQueue<Integer> queue, ModelQueue<Integer> model, ManualTimeSource time) {
        if (step instanceof Add add) {
            queue.addAfter(add.key(), Duration.ofNanos(add.delay()), add.priority());
            model.add(add.key(), add.priority(), add.delay());
        } else if (step instanceof AddRateLimited add) {
            queue.addRateLimited(add.key(), add.priority());
            model.add(add.key(), add.priority(), BACKOFF);
        } else if (step instanceof Done done) {
            queue.done(done.key());
            model.done(done.key());
        } else if (step instanceof Advance advance) {
            time.advance(Duration.ofNanos(advance.nanos()));
            model.advance(advance.nanos());
        } else if (step instanceof Cancel cancel) {
            assertThat(queue.cancel(cancel.key())).as("canceled").isEqualTo(model.cancel(cancel.key()));
        } else if (step instanceof Workers workers) {
            queue.setWorkers(workers.count());
            model.setWorkers(workers.count());
        } else if (step instanceof ShutDown) {
            queue.shutDown();
            model.shutDown();
        } else {
            Map.Entry<Integer, Integer> actual = Optional.ofNullable(queue.poll())
                    .map(work -> Map.entry(work.item(), work.priority()))
                    .orElse(null);
            assertThat(actual).as("dequeued").isEqualTo(model.poll());
        }
    }
}
