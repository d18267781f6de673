package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import java.time.Duration;

/**
 * Counts the rounds of a reflector that got something, a list or a watch, and then ended too soon: the version is gone again, the watch
 * ends after a change, or it is refused after each list. Each of them looks like an ordinary event, and a server that continues like this
 * would be asked without a pause. So the delay between two of them doubles with each, and only a time without any resets it. The first
 * one is followed at once. Confined to the thread of its reflector.
 *
 * <p>The times are in proportion to the first backoff. With the default of 0.8 seconds a round is short if it ends within 10 seconds
 * of what it got last, and two minutes without a short one reset the delay.
 */
final class ShortRounds {

    /** From so many on, they are reported. */
    private static final int MANY = 3;

    private static final Duration LONGEST_SHORT = Duration.ofSeconds(10);
    private static final Duration LONGEST_QUIET = Duration.ofMinutes(2);
    private static final double SHORT_BACKOFFS = 12.5;
    private static final double QUIET_BACKOFFS = 150;
    /** Of the lifetime for which a watch is requested. */
    private static final double SHORT_LIFETIMES = 0.9;

    private final long shorterThan;
    private final long quiet;
    private final Backoff backoff;

    private int count;
    private int gone;
    private long lastAt;
    /** Whether a round has lasted since the last short one. */
    private boolean settled;

    ShortRounds(WatchOptions options, Backoff backoff) {
        long first = Nanos.of(options.backoffMin());
        double lifetime = SHORT_LIFETIMES * Nanos.of(options.lifetimeMin());
        this.shorterThan = (long) Math.min(lifetime, Math.min(Nanos.of(LONGEST_SHORT), SHORT_BACKOFFS * first));
        this.quiet = (long) Math.min(Nanos.of(LONGEST_QUIET), QUIET_BACKOFFS * first);
        this.backoff = backoff;
    }

    /** Return the time from which on a round is not short any more, in nanoseconds. */
    long shorterThan() {
        return shorterThan;
    }

    /**
     * Record the end of a round that got something, and return how long to wait.
     *
     * @param lasted for how long it continued after that
     * @param isGone whether it ended because its version is gone
     */
    Duration ended(long now, long lasted, boolean isGone) {
        if (count > 0 && now - lastAt >= quiet) {
            count = 0;
            gone = 0;
        }
        if (lasted >= shorterThan) {
            settled = true;
            return Duration.ZERO;
        }
        settled = false;
        lastAt = now;
        count++;
        gone += isGone ? 1 : 0;
        Duration rest = count == 1 ? Duration.ZERO : backoff.delay(count - 1).minusNanos(lasted);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** Record that the present round lasts. */
    void settle() {
        settled = true;
    }

    /** Return whether there were so many that they are to be reported, and none has lasted since. */
    boolean areMany() {
        return count >= MANY && !settled;
    }

    /** Return how many there were without a quiet time in between. */
    int count() {
        return count;
    }

    /** Return how many of them ended because their version was gone. */
    int gone() {
        return gone;
    }
}
