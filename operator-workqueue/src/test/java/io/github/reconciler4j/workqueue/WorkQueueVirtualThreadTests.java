package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Takers that are virtual threads; found by reflection, as the tests compile for Java 17. */
@EnabledForJreRange(min = JRE.JAVA_21)
class WorkQueueVirtualThreadTests {

    private static final int TAKERS = 1000;

    private final WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.defaults("virtual"));
    private final Set<Integer> taken = ConcurrentHashMap.newKeySet();

    @Test
    void takeWhenThousandVirtualThreadsWaitGivesEachItsKey() throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < TAKERS; i++) {
            threads.add((Thread) start.invoke(null, (Runnable) this::take));
        }
        for (int i = 0; i < TAKERS; i++) {
            queue.addAfter(i, Duration.ofMillis(i % 50), i % 3);
        }
        for (Thread thread : threads) {
            thread.join(60_000);
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(taken).hasSize(TAKERS);
        assertThat(queue.snapshot().running()).isZero();
    }

    private void take() {
        try {
            WorkItem<Integer> work = queue.take();
            taken.add(work.item());
            queue.done(work.item());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
