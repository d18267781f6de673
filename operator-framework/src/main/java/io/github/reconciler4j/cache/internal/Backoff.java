package io.github.reconciler4j.cache.internal;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** Growing pauses with full jitter: each is drawn evenly from nothing to a bound that doubles. To be used by one thread. */
final class Backoff {

    private static final int MOST_DOUBLINGS = 30;

    private final Duration base;
    private final Duration most;
    private final DoubleSupplier random;
    private int failures;

    /**
     * Creates it.
     *
     * @param random gives numbers from 0 to 1
     */
    Backoff(Duration base, Duration most, DoubleSupplier random) {
        this.base = base;
        this.most = most;
        this.random = random;
    }

    /** The pause after one more failure. */
    Duration next() {
        double bound = Math.min(most.toNanos(), base.toNanos() * (double) (1L << Math.min(failures, MOST_DOUBLINGS)));
        failures++;
        return Duration.ofNanos((long) (bound * random.getAsDouble()));
    }

    /** How many failures there were in a row. */
    int failures() {
        return failures;
    }

    /** Begins anew, because it worked for a while. */
    void reset() {
        failures = 0;
    }
}
