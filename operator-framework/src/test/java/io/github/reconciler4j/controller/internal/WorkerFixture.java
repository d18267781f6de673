package io.github.reconciler4j.controller.internal;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A worker whose thread is that of the test. */
abstract class WorkerFixture {

    static final Duration LONG = Duration.ofSeconds(30);

    /** Its time stands still, so what is delayed stays so. */
    final WorkQueueOptions<String> options = WorkQueueOptions.<String>defaults("test")
            .withTimeSource(new ManualTimeSource())
            .withRateLimiter(RateLimiters.exponential(Duration.ofMinutes(1), Duration.ofMinutes(1), 0));

    final WorkQueue<String> queue = WorkQueue.create(options);
    final TestGate<String> gate = new TestGate<>();
    final List<String> processed = new ArrayList<>();
    final InterruptCounter thread = new InterruptCounter();

    @SuppressWarnings("unchecked")
    final RequestProcessor<String> processor = mock(RequestProcessor.class);

    Worker<String> worker = new Worker<>(queue, processor, null);
    Runnable during = () -> {};

    /** A thread that only counts its interrupts. */
    static final class InterruptCounter extends Thread {

        int interrupts;

        InterruptCounter() {
            super("worker-1");
        }

        @Override
        public void start() {}

        @Override
        public void interrupt() {
            interrupts++;
        }
    }

    WorkerFixture() {
        doAnswer(call -> {
                    WorkItem<String> item = call.getArgument(0);
                    processed.add(item.item());
                    during.run();
                    return null;
                })
                .when(processor)
                .process(any(), any());
        worker.runOn(thread);
    }

    /** Let the worker be one of a divided controller. */
    final void divide() {
        worker = new Worker<>(queue, processor, gate);
        worker.runOn(thread);
    }

    @AfterEach
    void useFromAnotherThread() throws Exception {
        Thread.interrupted();
        CompletableFuture.runAsync(worker::retire).get(60, TimeUnit.SECONDS); // no lock is left
    }

    static ActiveRun run() {
        return new ActiveRun("x", new Request("a", "x"), "id", 0);
    }

    /** Runs the worker with these requests until it is retired. */
    void work(String... requests) {
        for (String request : requests) {
            queue.add(request, 7);
        }
        Runnable before = during;
        during = () -> {
            if (processed.size() == requests.length) {
                worker.retire();
            }
            before.run();
        };
        worker.run();
    }

    boolean isRunning(String request) {
        queue.add(request);
        return queue.poll() == null;
    }
}
