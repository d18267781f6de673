package io.github.reconciler4j.workqueue;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that take from queues; all are ended on close. */
final class Takers implements AutoCloseable {

    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    <T> Take<T> start(WorkQueue<T> queue) {
        CompletableFuture<WorkItem<T>> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(queue.take());
                    } catch (InterruptedException | RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                },
                "taker");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return new Take<>(thread, result);
    }

    /** Waits until a thread waits for something. */
    static void awaitBlocked(Thread thread) {
        await(thread.getName() + " waits")
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> switch (thread.getState()) {
                    case WAITING, TIMED_WAITING -> true;
                    default -> false;
                });
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        await("takers end")
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    /** One call of take. */
    record Take<T>(Thread thread, CompletableFuture<WorkItem<T>> result) {

        /** Waits until the thread waits in the queue. */
        void awaitBlocked() {
            Takers.awaitBlocked(thread);
        }

        boolean isWaiting() {
            return !result.isDone();
        }

        /** The key it got, null if the queue ended. */
        T item() throws InterruptedException, ExecutionException, TimeoutException {
            WorkItem<T> work = result.get(30, TimeUnit.SECONDS);
            return work == null ? null : work.item();
        }
    }
}
