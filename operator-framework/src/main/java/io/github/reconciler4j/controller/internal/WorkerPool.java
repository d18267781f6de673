package io.github.reconciler4j.controller.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The workers of one run, each on its own thread. Their number can be changed at any time: surplus workers end after their
 * current reconciliation. Thread-safe.
 *
 * @param <R> what a request is
 */
final class WorkerPool<R> {

    private final String controller;
    private final String fieldManager;
    private final ControllerOptions options;
    private final Supplier<Worker<R>> factory;

    private final ReentrantLock lock = new ReentrantLock();

    /** The permission to write that the manager passes with the start. */
    @GuardedBy("lock")
    private Optional<WriteScope> scope = Optional.empty();

    /** Those that have not been retired. */
    @GuardedBy("lock")
    private final Deque<Worker<R>> working = new ArrayDeque<>();

    /** Those whose thread may still run, including retired ones; cleaned up when it is read. */
    @GuardedBy("lock")
    private final List<Worker<R>> alive = new ArrayList<>();

    @GuardedBy("lock")
    private int created;

    WorkerPool(String controller, String fieldManager, ControllerOptions options, Supplier<Worker<R>> factory) {
        this.controller = controller;
        this.fieldManager = fieldManager;
        this.options = options;
        this.factory = factory;
    }

    /** Let the workers that are created from now on write with the permission of the calling thread. */
    void adoptScope() {
        lock.lock();
        try {
            scope = WriteScope.current();
        } finally {
            lock.unlock();
        }
    }

    /** Create or retire workers until there are as many as the supplier returns; the last of several calls counts. */
    void resize(IntSupplier wanted) {
        lock.lock();
        try {
            int count = wanted.getAsInt();
            while (working.size() < count) {
                startOne();
            }
            while (working.size() > count) {
                working.removeLast().retire();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A thread that cannot be started because of exhausted memory leaves no trace. */
    @GuardedBy("lock")
    private void startOne() {
        Worker<R> worker = factory.get();
        Runnable task = WorkScope.inCluster(
                options.cluster(),
                WorkScope.in(controller, fieldManager, WorkScope.withServiceAccount(options.serviceAccount(), worker)));
        String name = "controller-" + controller + "-worker-" + ++created;
        Thread thread = Threads.create(
                name, scope.map(inherited -> inherited.wrap(task)).orElse(task), options.virtualThreads());
        worker.runOn(thread);
        working.add(worker);
        alive.add(worker);
    }

    /** Return the names of workers that have not been retired and whose threads have ended all the same. */
    List<String> dead() {
        lock.lock();
        try {
            return working.stream()
                    .filter(worker -> !worker.isAlive())
                    .map(Worker::name)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Return all workers whose threads have not ended. */
    List<Worker<R>> alive() {
        lock.lock();
        try {
            alive.removeIf(worker -> !worker.isAlive());
            return List.copyOf(alive);
        } finally {
            lock.unlock();
        }
    }

    /** Return the number of busy workers. */
    int busy() {
        return (int) alive().stream().filter(Worker::isBusy).count();
    }

    /** Wait until the threads of all workers have ended; a negative timeout waits without limit. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = TimeSource.system().nanoTime() + (timeout.isNegative() ? Nanos.MAX : Nanos.of(timeout));
        for (Worker<R> worker : alive()) {
            if (!worker.join(deadline - TimeSource.system().nanoTime())) {
                return false;
            }
        }
        return true;
    }

    /** Interrupt all workers for good. */
    void interruptAll() {
        alive().forEach(Worker::interruptForStop);
    }
}
