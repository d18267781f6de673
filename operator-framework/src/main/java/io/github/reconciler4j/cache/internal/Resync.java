package io.github.reconciler4j.cache.internal;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Has a kind told again now and then, until it is stopped. Safe for use by many threads. */
final class Resync {

    private static final double JITTER = 0.1;

    private final Duration period;
    private final ScheduledExecutorService timer;
    private final Runnable tell;
    private @Nullable Future<?> next;
    private boolean stopped;

    /** Never tells, if the period is zero. */
    Resync(Duration period, ScheduledExecutorService timer, Runnable tell) {
        this.period = period;
        this.timer = timer;
        this.tell = tell;
    }

    /** Begins, for the first time after one period from now. */
    synchronized void start() {
        if (period.isZero() || stopped || timer.isShutdown()) {
            return;
        }
        long nanos = (long) (period.toNanos() * (1 + ThreadLocalRandom.current().nextDouble(JITTER)));
        next = timer.schedule(this::run, nanos, TimeUnit.NANOSECONDS);
    }

    private void run() {
        tell.run();
        start();
    }

    /** Ends it, so that the timer does not keep what would have been told. */
    synchronized void stop() {
        stopped = true;
        if (next != null) {
            next.cancel(false);
        }
    }
}
