package io.github.reconciler4j.manager.internal;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits that can be watched: what is waited for is logged every now and then, since when, and how long still. */
final class Waits {

    /** A limit that never comes. */
    static final Duration WITHOUT_END = Duration.ofNanos(-1);

    private static final Logger LOG = LoggerFactory.getLogger(Waits.class);

    private final RunnerContext context;

    Waits(RunnerContext context) {
        this.context = context;
    }

    /**
     * Waits, with the lock held, until the condition holds.
     *
     * @param limit how long at most, negative for without end
     * @param what names what is waited for, for the log
     * @return whether the condition holds
     */
    boolean awaitLocked(BooleanSupplier done, Duration limit, Supplier<String> what) throws InterruptedException {
        long begin = context.time().nanoTime();
        long interval = context.options().progressInterval().toNanos();
        long nextReport = interval;
        while (!done.getAsBoolean()) {
            long waited = context.time().nanoTime() - begin;
            long left = limit.isNegative() ? Long.MAX_VALUE : limit.toNanos() - waited;
            if (left <= 0) {
                return false;
            }
            if (waited >= nextReport) {
                report(what.get(), waited, limit);
                nextReport = waited + interval;
            }
            context.time().await(context.changed(), Math.min(left, nextReport - waited));
        }
        return true;
    }

    private static void report(String what, long waited, Duration limit) {
        if (limit.isNegative()) {
            LOG.info("Waiting for {} since {}", what, Texts.seconds(Duration.ofNanos(waited)));
        } else {
            LOG.info(
                    "Waiting for {} since {}, at most {} more",
                    what,
                    Texts.seconds(Duration.ofNanos(waited)),
                    Texts.seconds(limit.minusNanos(waited)));
        }
    }
}
