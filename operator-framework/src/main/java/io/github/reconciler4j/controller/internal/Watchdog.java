package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the reconciliations of one run from its own thread: interrupts those that exceed their time limit, and reports
 * those that do not return, once each, with the stack trace of their thread.
 *
 * <p>It sleeps until the earliest time at which a reconciliation can be due: that of the oldest one, or one time limit from
 * now, because one that starts later is due later. So reconciliations do not have to notify it, and an idle controller costs
 * one wake-up per time limit.
 */
final class Watchdog {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    /** Prevents spinning for a reconciliation that is due right now. */
    private static final long MIN_SLEEP_NANOS = 1_000_000;

    private static final long PAUSE_AFTER_FAILURE_NANOS = 1_000_000_000;

    private final String controller;
    private final WorkerPool<?> pool;
    private final long timeoutNanos;
    private final long stuckNanos;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final LogLimiter failures = new LogLimiter();

    /** The time until the next look; used by the thread alone. */
    private long sleepNanos = MIN_SLEEP_NANOS;

    /** Create a watchdog with the reconcile timeout and the stuck time of these options. */
    Watchdog(String controller, WorkerPool<?> pool, ControllerOptions options) {
        this.controller = controller;
        this.pool = pool;
        this.timeoutNanos = options.reconcileTimeout().isZero() ? Long.MAX_VALUE : Nanos.of(options.reconcileTimeout());
        this.stuckNanos = Nanos.of(Nanos.sum(options.reconcileTimeout(), options.stuckAfter()));
        this.thread = Threads.daemon("controller-" + controller + "-watchdog", this::watch);
    }

    void start() {
        thread.start();
    }

    /** Stop, and wait for the thread, which never blocks for long. */
    void stop() throws InterruptedException {
        stopped.countDown();
        Threads.joinInterruptibly(thread, Nanos.MAX);
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    private void watch() {
        Threads.repeat(this::watchOnce, this::failed);
    }

    private boolean watchOnce() throws InterruptedException {
        if (TimeSource.system().await(stopped, sleepNanos)) {
            return false;
        }
        sleepNanos = Math.max(MIN_SLEEP_NANOS, check());
        return true;
    }

    private void failed(Throwable failure) {
        if (failure instanceof InterruptedException) {
            sleepNanos = MIN_SLEEP_NANOS;
            LOG.warn("The watchdog of controller '{}' was interrupted from outside and continues", controller);
        } else {
            sleepNanos = PAUSE_AFTER_FAILURE_NANOS;
            failures.log(
                    LogLimiter.cause(failure),
                    occurrence -> LOG.error(
                            "The watchdog of controller '{}' failed, and continues{}",
                            controller,
                            occurrence.suffix(failure),
                            occurrence.trace(failure)));
        }
    }

    /** Process every reconciliation that is due; return the time until the next one can be. */
    private long check() {
        long next = Math.min(timeoutNanos, stuckNanos);
        long now = TimeSource.system().nanoTime();
        for (Worker<?> worker : pool.alive()) {
            Optional<ActiveRun> run = worker.current();
            if (run.isPresent()) {
                next = Math.min(next, check(worker, run.get(), now));
            }
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
                    "The reconciliation of {} {} (reconcileID {}) has been running for {} and does not return; its worker"
                            + " takes no other request until it does (R4J-103). Stack trace:{}",
                    controller,
                    run.request(),
                    run.reconcileId(),
                    Nanos.seconds(Duration.ofNanos(age)),
                    stack);
        }
    }

    /** Return the requests of the reconciliations that were reported as stuck and have not returned. */
    List<Request> stuck() {
        return pool.alive().stream()
                .flatMap(worker -> worker.current().stream())
                .filter(ActiveRun::isStuck)
                .map(ActiveRun::request)
                .toList();
    }
}
