package io.github.reconciler4j.webhook.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a check at intervals, on every replica, until it is stopped. Thread-safe. */
public final class PeriodicChecks {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Backoff intervals;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Run run;

    /**
     * Create checks that do not run yet.
     *
     * @param name the name of their thread
     */
    public PeriodicChecks(String name, Duration interval) {
        this(name, Backoff.of(interval, interval));
    }

    /** Create checks that do not run yet, at intervals that grow while they run. */
    PeriodicChecks(String name, Backoff intervals) {
        this.name = name;
        this.intervals = intervals;
    }

    /** What is checked. */
    @FunctionalInterface
    public interface Check {
        void check() throws Exception;
    }

    /**
     * Start to run a check, for the first time after an interval.
     *
     * @param failed receives what the check throws; the next check runs nevertheless
     */
    public void start(Check check, Consumer<Throwable> failed) {
        Run started = new Run(check, failed);
        lock.lock();
        try {
            run = started;
        } finally {
            lock.unlock();
        }
        started.thread.start();
    }

    /** Stop the checks, and wait up to 5 seconds for one in progress. Without effect if there are none. */
    public void stop() {
        Run running;
        lock.lock();
        try {
            running = run;
            run = null;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.stopped.countDown();
            running.thread.interrupt();
            Threads.join(running.thread, STOP_TIMEOUT);
        }
    }

    private final class Run {
        private final Check check;
        private final Consumer<Throwable> failed;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final Thread thread =
                Threads.daemon(name, WriteScope.everywhere().wrap(this::repeat));

        Run(Check check, Consumer<Throwable> failed) {
            this.check = check;
            this.failed = failed;
        }

        private void repeat() {
            for (int checks = 1; ; checks++) {
                try {
                    if (TimeSource.system().await(stopped, Nanos.of(intervals.delay(checks)))) {
                        return;
                    }
                    check.check();
                } catch (Throwable e) {
                    if (stopped.getCount() == 0) {
                        return;
                    }
                    failed.accept(e);
                }
            }
        }
    }
}
