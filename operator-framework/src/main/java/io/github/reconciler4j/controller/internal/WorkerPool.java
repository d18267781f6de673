package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.FieldManagerScope;
import io.github.reconciler4j.leaderelection.WriteScope;
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
 * The workers of one controller, each on a thread of its own. Their number can be changed at any time: workers that are
 * too many end after their current run. Safe for use by many threads.
 *
 * @param <R> what a request is
 */
final class WorkerPool<R> {

    private final String controller;
    private final boolean virtualThreads;
    private final Supplier<Worker<R>> factory;

    /** The right to write that the manager gives with the start. Guarded by {@link #lock}. */
    private Optional<WriteScope> scope = Optional.empty();

    private final ReentrantLock lock = new ReentrantLock();

    /** Those that go on taking requests. Guarded by {@link #lock}. */
    private final Deque<Worker<R>> working = new ArrayDeque<>();

    /** Those told to end included; whose thread has ended is removed when somebody looks. Guarded by {@link #lock}. */
    private final List<Worker<R>> alive = new ArrayList<>();

    /** Guarded by {@link #lock}. */
    private int made;

    WorkerPool(String controller, boolean virtualThreads, Supplier<Worker<R>> factory) {
        this.controller = controller;
        this.virtualThreads = virtualThreads;
        this.factory = factory;
    }

    /** Has the workers that are made from now on write with the right of the calling thread. */
    void adoptScope() {
        lock.lock();
        try {
            scope = WriteScope.current();
        } finally {
            lock.unlock();
        }
    }

    /** Makes or retires workers until there are as many as a supplier says; of several callers the last word counts. */
    void resize(IntSupplier wanted) {
        lock.lock();
        try {
            int count = wanted.getAsInt();
            while (working.size() < count) {
                startOneLocked();
            }
            while (working.size() > count) {
                working.removeLast().retire();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A thread that cannot be started, for want of memory, leaves nothing behind. */
    private void startOneLocked() {
        Worker<R> worker = factory.get();
        Runnable task = FieldManagerScope.in(controller, () -> runToEnd(worker));
        String name = "controller-" + controller + "-worker-" + ++made;
        Thread thread = Threads.create(
                name, scope.map(inherited -> inherited.wrap(task)).orElse(task), virtualThreads);
        worker.runOn(thread);
        working.add(worker);
        alive.add(worker);
    }

    private void runToEnd(Worker<R> worker) {
        try {
            worker.run();
        } finally {
            lock.lock();
            try {
                working.remove(worker);
            } finally {
                lock.unlock();
            }
        }
    }

    /** All workers whose threads have not ended. */
    List<Worker<R>> alive() {
        lock.lock();
        try {
            alive.removeIf(worker -> !worker.isAlive());
            return List.copyOf(alive);
        } finally {
            lock.unlock();
        }
    }

    /** How many workers are in a run. */
    int busy() {
        return (int) alive().stream().filter(Worker::isBusy).count();
    }

    /** Waits until the threads of all workers have ended; a negative timeout waits without end. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + (timeout.isNegative() ? Long.MAX_VALUE / 2 : Nanos.of(timeout));
        for (Worker<R> worker : alive()) {
            if (!worker.join(deadline - System.nanoTime())) {
                return false;
            }
        }
        return true;
    }

    /** Interrupts all workers for good. */
    void interruptAll() {
        alive().forEach(Worker::interruptForStop);
    }
}
