package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Takers that wait are woken, in every interleaving of the threads: there are enough adds for all takers, so a lost
 * wake-up shows as threads that never end. The system property {@code lincheck.factor}
 * multiplies how deep the tests look.
 */
class WorkQueueTakeLincheckTests {

    private static final int INVOCATIONS = 20 * Integer.getInteger("lincheck.factor", 1);

    /**
     * Lincheck takes a run of more than 30 seconds for one that hangs. It transforms a class when a run first uses it, which takes
     * most of the first run, and too long on a very busy machine. So the classes are divided among several first runs.
     */
    @BeforeAll
    static void transformClasses() {
        Lincheck.runConcurrentTest(1, () -> {});
        Lincheck.runConcurrentTest(1, WorkQueueTakeLincheckTests::create);
        Lincheck.runConcurrentTest(1, () -> {
            WorkQueue<Integer> queue = create();
            queue.add(1);
            check(take(queue) == 1);
        });
    }

    @Test
    void takersWhenKeysAreAddedAllReturn() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            WorkQueue<Integer> queue = create();
            Set<Integer> taken = ConcurrentHashMap.newKeySet();
            runAll(() -> taken.add(take(queue)), () -> taken.add(take(queue)), () -> {
                queue.add(1);
                queue.add(2);
            });
            check(taken.size() == 2);
        });
    }

    @Test
    void takersWhenOneWaitsForALaterTimeAllReturn() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            WorkQueue<Integer> queue = create();
            queue.addAfter(9, Duration.ofDays(2), 0);
            runAll(() -> take(queue), () -> take(queue), () -> {
                queue.add(1);
                queue.addAfter(8, Duration.ofDays(1), 0);
                queue.add(2);
            });
            check(queue.snapshot().delayed() == 2);
        });
    }

    @Test
    void keyWhenAddedWhileProcessedIsDequeuedAgainButNotConcurrently() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            WorkQueue<Integer> queue = create();
            queue.add(1);
            AtomicInteger running = new AtomicInteger();
            Runnable worker = () -> {
                take(queue);
                check(running.incrementAndGet() == 1);
                running.decrementAndGet();
                queue.add(1);
                queue.done(1);
            };
            runAll(worker, worker);
            check(queue.size() == 1);
        });
    }

    @Test
    void takersWhenTheQueueEndsAllReturn() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            WorkQueue<Integer> queue = create();
            runAll(() -> take(queue), () -> take(queue), () -> {
                queue.add(1);
                queue.shutDown();
            });
            check(queue.size() == 0);
        });
    }

    @Test
    void drainWhenWorkersFinishMeanwhileEndsAndReleasesAllTakers() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            WorkQueue<Integer> queue = create();
            queue.add(1);
            queue.add(2);
            Runnable worker = () -> {
                int key = take(queue);
                while (key >= 0) {
                    queue.done(key);
                    key = take(queue);
                }
            };
            runAll(worker, worker, () -> check(drain(queue)));
            check(queue.snapshot().running() == 0 && queue.size() == 0);
        });
    }

    @Test
    void takerWhenTheDelayedKeyItWaitsForIsTakenBackGetsTheNextOne() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            WorkQueue<Integer> queue = create();
            queue.addAfter(9, Duration.ofDays(1), 0);
            AtomicInteger taken = new AtomicInteger();
            runAll(() -> taken.set(take(queue)), () -> queue.cancel(9), () -> queue.add(1));
            check(taken.get() == 1);
            check(queue.snapshot().delayed() == 0);
        });
    }

    private static boolean drain(WorkQueue<Integer> queue) {
        try {
            return queue.shutDownWithDrain(Duration.ofDays(1));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static WorkQueue<Integer> create() {
        return WorkQueue.create(WorkQueueOptions.<Integer>defaults("lincheck").withTimeSource(new ManualTimeSource()));
    }

    private static int take(WorkQueue<Integer> queue) {
        try {
            WorkItem<Integer> work = queue.take();
            return work == null ? -1 : work.item();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Not AssertJ: its assertions do not work inside a checked run. */
    private static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }

    private static void runAll(Runnable... actions) {
        Thread[] threads = new Thread[actions.length];
        for (int i = 0; i < actions.length; i++) {
            threads[i] = new Thread(actions[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
