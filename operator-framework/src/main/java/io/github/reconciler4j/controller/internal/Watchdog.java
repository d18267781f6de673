package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the runs of one controller from a thread of its own: interrupts those that are over their time limit, and
 * reports those that do not return, once each, with the stack of their thread.
 *
 * <p>It sleeps until the earliest moment at which a run can be due: that of the oldest one under way, or one time limit
 * from now, as a run that begins later is due later. So runs need not tell it anything, and an idle controller costs one
 * wake-up per time limit.
 */
final class Watchdog {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    /** So that a run that is due at this very moment does not make it spin. */
    private static final long SHORTEST_SLEEP_NANOS = 1_000_000;

    private final String controller;
    private final WorkerPool<?> pool;
    private final long timeoutNanos;
    private final long stuckNanos;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * Creates it.
     *
     * @param options has the time after which a run is interrupted, and that after which, beyond the first, it is reported
     */
    Watchdog(String controller, WorkerPool<?> pool, ControllerOptions options) {
        this.controller = controller;
        this.pool = pool;
        this.timeoutNanos = options.reconcileTimeout().isZero() ? Long.MAX_VALUE : Nanos.of(options.reconcileTimeout());
        this.stuckNanos = Nanos.of(options.reconcileTimeout().plus(options.stuckAfter()));
        this.thread = Threads.create("controller-" + controller + "-watchdog", this::watch, false);
    }

    void start() {
        thread.start();
    }

    /** Ends it; waits for its thread, which never does anything long. */
    void stop() throws InterruptedException {
        stopped.countDown();
        thread.join();
    }

    private void watch() {
        boolean ended = false;
        while (!ended) {
            try {
                ended = stopped.await(Math.max(SHORTEST_SLEEP_NANOS, check()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                LOG.warn("The watchdog of controller '{}' was interrupted from outside, and goes on", controller);
            }
        }
    }

    /** Treats every run that is due, and says how long until the next one can be. */
    private long check() {
        long next = Math.min(timeoutNanos, stuckNanos);
        try {
            long now = System.nanoTime();
            for (Worker<?> worker : pool.alive()) {
                Optional<ActiveRun> run = worker.current();
                if (run.isPresent()) {
                    next = Math.min(next, check(worker, run.get(), now));
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("The watchdog of controller '{}' failed, and goes on", controller, e);
        }
        return next;
    }

    private long check(Worker<?> worker, ActiveRun run, long now) {
        long age = run.ageNanos(now);
        if (age >= timeoutNanos && !run.isTimedOut()) {
            worker.timeOut(run);
        }
        if (age >= stuckNanos && !run.isStuck()) {
            run.markStuck();
            report(worker, run, age);
        }
        if (age < timeoutNanos) {
            return Math.min(timeoutNanos, stuckNanos) - age;
        }
        return age < stuckNanos ? stuckNanos - age : Long.MAX_VALUE;
    }

    private void report(Worker<?> worker, ActiveRun run, long age) {
        Thread stuck = worker.thread();
        StringBuilder stack = new StringBuilder();
        for (StackTraceElement frame : stuck == null ? new StackTraceElement[0] : stuck.getStackTrace()) {
            stack.append(System.lineSeparator()).append("\tat ").append(frame);
        }
        if (worker.current().filter(current -> current == run).isPresent()) {
            LOG.warn(
                    "Reconcile of {} {} (reconcileId {}) has been running for {} and does not return; its worker is lost"
                            + " to other requests until it does. Its stack:{}",
                    controller,
                    run.request(),
                    run.reconcileId(),
                    Duration.ofMillis(age / 1_000_000),
                    stack);
        }
    }

    /** The runs reported as stuck that are still under way. */
    List<ActiveRun> stuck() {
        return pool.alive().stream()
                .flatMap(worker -> worker.current().stream())
                .filter(ActiveRun::isStuck)
                .toList();
    }
}
