package io.github.reconciler4j.cache.internal;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Has every kind told again now and then, each at a time of its own. */
final class Resync {

    private static final double JITTER = 0.1;

    private final Duration period;
    private final ScheduledExecutorService timer;

    /** Never, if the period is zero. */
    Resync(Duration period, ScheduledExecutorService timer) {
        this.period = period;
        this.timer = timer;
    }

    /** Begins with a kind, after one period from now. */
    void follow(KindCache kind) {
        if (period.isZero()) {
            return;
        }
        long nanos = (long) (period.toNanos() * (1 + ThreadLocalRandom.current().nextDouble(JITTER)));
        timer.schedule(() -> tell(kind), nanos, TimeUnit.NANOSECONDS);
    }

    private void tell(KindCache kind) {
        if (!kind.state().isClosed()) {
            kind.feed().resync();
            follow(kind);
        }
    }
}
