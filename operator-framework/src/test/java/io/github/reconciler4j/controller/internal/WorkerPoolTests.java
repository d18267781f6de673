package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.defaults("test"));
    private final List<Optional<WriteScope>> scopes = new CopyOnWriteArrayList<>();

    @SuppressWarnings("unchecked")
    private final RequestProcessor<String> processor = mock(RequestProcessor.class);

    private final WorkerPool<String> pool = new WorkerPool<>(
            "test",
            "test",
            ControllerOptions.defaults().withVirtualThreads(false),
            () -> new Worker<>(queue, processor, null));

    @AfterEach
    void end() throws Exception {
        CompletableFuture.runAsync(() -> pool.resize(() -> 0)).get(60, TimeUnit.SECONDS); // no lock is left
        assertThat(pool.awaitEnd(LONG)).isTrue();
    }

    private void awaitNames(String... names) {
        await("workers")
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(pool.alive()).extracting(Worker::name).containsExactly(names));
    }

    @Test
    void resizeCreatesAndRetiresWorkers() {
        pool.resize(() -> 2);
        awaitNames("controller-test-worker-1", "controller-test-worker-2");
        pool.resize(() -> 2);
        awaitNames("controller-test-worker-1", "controller-test-worker-2");
        pool.resize(() -> 1);
        awaitNames("controller-test-worker-1");
        pool.resize(() -> 2);
        awaitNames("controller-test-worker-1", "controller-test-worker-3");
        assertThat(pool.dead()).isEmpty();
    }

    @Test
    void deadNamesWorkersThatEndedByThemselves() {
        pool.resize(() -> 1);
        queue.shutDown();
        await("dead").atMost(LONG).until(() -> pool.dead().equals(List.of("controller-test-worker-1")));
        pool.resize(() -> 0);
        assertThat(pool.dead()).as("it was to end").isEmpty();
    }

    @Test
    void busyCountsWorkersThatReconcile() {
        pool.resize(() -> 2);
        assertThat(pool.busy()).isZero();
        pool.alive().get(0).start(new ActiveRun("x", new Request("a", "x"), "id", 0));
        assertThat(pool.busy()).isEqualTo(1);
        pool.alive().get(0).end();
    }

    @Test
    void adoptScopeLetsNewWorkersWriteWithIt() {
        doAnswer(call -> scopes.add(WriteScope.current())).when(processor).process(any(), any());
        WriteScope scope = WriteScope.of(() -> {});
        pool.resize(() -> 1);
        queue.add("a");
        await("first").atMost(LONG).until(() -> scopes.size() == 1);
        pool.resize(() -> 0);
        awaitNames();
        scope.run(pool::adoptScope);
        pool.resize(() -> 1);
        queue.add("a");
        await("second").atMost(LONG).until(() -> scopes.size() == 2);
        assertThat(scopes).containsExactly(Optional.empty(), Optional.of(scope));
    }

    @Test
    void awaitEndWaitsUntilAllThreadsHaveEnded() throws Exception {
        pool.resize(() -> 2);
        assertThat(pool.awaitEnd(Duration.ZERO)).isFalse();
        assertThat(pool.awaitEnd(Duration.ofNanos(1))).isFalse();
        for (Duration timeout : List.of(LONG, Duration.ofNanos(-1))) {
            pool.resize(() -> 2);
            FutureTask<Boolean> ended = new FutureTask<>(() -> pool.awaitEnd(timeout));
            Thread waiting = new Thread(ended);
            waiting.start();
            await("waits").atMost(LONG).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            pool.resize(() -> 0);
            assertThat(ended.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void interruptAllStopsAllWorkers() {
        pool.resize(() -> 2);
        List<Worker<String>> workers = pool.alive();
        pool.interruptAll();
        awaitNames();
        assertThat(workers).hasSize(2).allMatch(Worker::isStopped);
    }
}
