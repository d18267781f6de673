package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads at once, in real time. */
@Timeout(120)
class WorkQueueStressTests {

    private static final int KEYS = 200;
    private static final int PRODUCERS = 4;
    private static final int CONSUMERS = 6;
    private static final int ADDS = 30_000;

    /** The number of adds of each key, and the number that its last consumer saw. */
    private final AtomicIntegerArray wanted = new AtomicIntegerArray(KEYS);

    private final AtomicIntegerArray seen = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray running = new AtomicIntegerArray(KEYS);
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger negativeSizes = new AtomicInteger();

    @Test
    void keysWhenManyProduceAndConsumeAreNeitherLostNorProcessedConcurrently() throws Exception {
        run(WorkQueue.create(options()));
    }

    @Test
    void keysWhenFairAreNeitherLostNorProcessedConcurrently() throws Exception {
        Fairness<Integer> fairness = Fairness.between(key -> key % 5);
        run(WorkQueue.create(options().withFairness(fairness.withMaxRunning(2))));
    }

    @Test
    void keysOfOneProducerAndPriorityAreDequeuedInOrder() throws Exception {
        WorkQueue<Integer> queue = WorkQueue.create(options());
        int each = 50_000;
        List<CompletableFuture<Void>> producers = IntStream.range(0, PRODUCERS)
                .mapToObj(producer -> start("producer", () -> {
                    for (int i = 0; i < each; i++) {
                        queue.add(producer * each + i, producer);
                    }
                    return null;
                }))
                .toList();
        int[] last = IntStream.range(0, PRODUCERS)
                .map(producer -> producer * each - 1)
                .toArray();
        for (int i = 0; i < PRODUCERS * each; i++) {
            WorkItem<Integer> work = queue.take();
            assertThat(work.item()).isEqualTo(++last[work.item() / each]);
            assertThat(work.priority()).isEqualTo(work.item() / each);
            queue.done(work.item());
        }
        join(producers);
        assertThat(queue.size()).isZero();
    }

    /** Producers race for the same keys, half of which are being processed; then consumers race for the keys. */
    @Test
    void priorityWhenManyAddOneKeyIsTheHighestThatWasAdded() throws Exception {
        WorkQueue<Integer> queue = WorkQueue.create(options());
        for (int round = 0; round < 30; round++) {
            List<Integer> held = new ArrayList<>();
            for (int key = 0; key < KEYS; key += 2) {
                queue.add(key);
                held.add(queue.take().item());
            }
            int[][] highest = new int[PRODUCERS][KEYS];
            int seed = round * PRODUCERS;
            join(IntStream.range(0, PRODUCERS)
                    .mapToObj(producer -> start("producer", () -> add(queue, seed + producer, highest[producer])))
                    .toList());
            held.forEach(queue::done);
            AtomicIntegerArray taken = new AtomicIntegerArray(KEYS);
            join(IntStream.range(0, CONSUMERS)
                    .mapToObj(consumer -> start("consumer", () -> takeAll(queue, taken)))
                    .toList());
            for (int key = 0; key < KEYS; key++) {
                int expected = 0;
                for (int[] added : highest) {
                    expected = Math.max(expected, added[key]);
                }
                assertThat(taken.get(key)).as("key %s in round %s", key, round).isEqualTo(expected);
            }
        }
    }

    /** Adds every key several times in a random order, and writes down the highest priority of each. */
    private static Void add(WorkQueue<Integer> queue, int seed, int[] highest) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 5 * KEYS; i++) {
            int key = i < KEYS ? i : random.nextInt(KEYS);
            int priority = 1 + random.nextInt(1000);
            highest[key] = Math.max(highest[key], priority);
            queue.add(key, priority);
        }
        return null;
    }

    private static Void takeAll(WorkQueue<Integer> queue, AtomicIntegerArray taken) {
        for (WorkItem<Integer> work = queue.poll(); work != null; work = queue.poll()) {
            taken.addAndGet(work.item(), work.priority());
            queue.done(work.item());
        }
        return null;
    }

    @Test
    void shutDownWhenAllThreadsAreBusyEndsAllTakers() throws Exception {
        for (int round = 0; round < 50; round++) {
            WorkQueue<Integer> queue = WorkQueue.create(options());
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Void> producer = start("producer", () -> {
                for (int i = 0; !stop.get(); i++) {
                    queue.addAfter(i % KEYS, Duration.ofNanos(i % 3 * 1000), i % 2);
                }
                return null;
            });
            List<CompletableFuture<Void>> consumers = startConsumers(queue);
            if (round % 2 == 0) {
                queue.shutDown();
            } else {
                assertThat(queue.shutDownWithDrain(Duration.ofSeconds(60))).isTrue();
            }
            join(consumers);
            stop.set(true);
            join(List.of(producer));
            assertThat(queue.size()).isZero();
            assertThat(queue.snapshot().running()).isZero();
        }
    }

    private void run(WorkQueue<Integer> queue) throws Exception {
        List<CompletableFuture<Void>> consumers = startConsumers(queue);
        List<CompletableFuture<Void>> producers = IntStream.range(0, PRODUCERS)
                .mapToObj(producer -> start("producer", () -> produce(queue, producer)))
                .toList();
        join(producers);
        awaitIdle(queue);
        assertThat(queue.shutDownWithDrain(Duration.ofSeconds(60))).isTrue();
        join(consumers);
        assertThat(overlaps).as("keys run twice at once").hasValue(0);
        assertThat(negativeSizes).hasValue(0);
        for (int key = 0; key < KEYS; key++) {
            assertThat(seen.get(key)).as("key %s", key).isEqualTo(wanted.get(key));
        }
    }

    private Void produce(WorkQueue<Integer> queue, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < ADDS; i++) {
            int key = random.nextInt(KEYS);
            wanted.incrementAndGet(key);
            int priority = random.nextInt(3) * 50 - 100;
            switch (random.nextInt(4)) {
                case 0 -> queue.addAfter(key, Duration.ofNanos(random.nextInt(2_000_000)), priority);
                case 1 -> queue.addRateLimited(key, priority);
                default -> queue.add(key, priority);
            }
            if (queue.size() < 0) {
                negativeSizes.incrementAndGet();
            }
        }
        return null;
    }

    private List<CompletableFuture<Void>> startConsumers(WorkQueue<Integer> queue) {
        List<CompletableFuture<Void>> consumers = new ArrayList<>();
        for (int i = 0; i < CONSUMERS; i++) {
            consumers.add(start("consumer", () -> {
                for (WorkItem<Integer> work = queue.take(); work != null; work = queue.take()) {
                    int key = work.item();
                    if (running.incrementAndGet(key) != 1) {
                        overlaps.incrementAndGet();
                    }
                    seen.set(key, wanted.get(key));
                    running.decrementAndGet(key);
                    queue.forget(key);
                    queue.done(key);
                }
                return null;
            }));
        }
        return consumers;
    }

    private static void awaitIdle(WorkQueue<Integer> queue) {
        await("everything is dequeued")
                .atMost(Duration.ofSeconds(60))
                .until(() -> queue.size() == 0 && queue.snapshot().delayed() == 0);
    }

    private static CompletableFuture<Void> start(String name, Callable<Void> action) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(action.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void join(List<CompletableFuture<Void>> results) throws Exception {
        for (CompletableFuture<Void> result : results) {
            result.get(60, TimeUnit.SECONDS);
        }
    }

    private static WorkQueueOptions<Integer> options() {
        return WorkQueueOptions.<Integer>defaults("stress")
                .withRateLimiter(RateLimiters.exponential(Duration.ofNanos(100_000), Duration.ofMillis(2), 0.5));
    }
}
