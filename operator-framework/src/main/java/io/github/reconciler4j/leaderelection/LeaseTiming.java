package io.github.reconciler4j.leaderelection;

import java.time.Duration;

/**
 * The times of leader election, with client-go's defaults and meaning. Immutable.
 *
 * @param leaseDuration how long others wait, after they last saw the lease renewed, before they take it (default 15 s);
 *     whole seconds, longer than {@code renewDeadline}
 * @param renewDeadline how long the leader tries to renew before it gives up leading (default 10 s); longer than
 *     {@code retryPeriod} times 1.2
 * @param retryPeriod how long between two tries (default 2 s), up to 1.2 times longer by chance while standing by
 * @since 0.1.0
 */
public record LeaseTiming(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** How much longer than the retry period a try may come: 1.2 times. */
    public static final double JITTER_FACTOR = 1.2;

    private static final LeaseTiming DEFAULTS =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** Checks that the times fit each other. */
    public LeaseTiming {
        if (retryPeriod.isNegative() || retryPeriod.isZero()) {
            throw new IllegalArgumentException("'retryPeriod' must be positive, was " + retryPeriod);
        }
        if (renewDeadline.toNanos() <= retryPeriod.toNanos() * JITTER_FACTOR) {
            throw new IllegalArgumentException("'renewDeadline' must be more than " + JITTER_FACTOR
                    + " times 'retryPeriod' (" + retryPeriod + "), was " + renewDeadline);
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException("'leaseDuration' must be longer than 'renewDeadline' (" + renewDeadline
                    + "), was " + leaseDuration);
        }
        if (leaseDuration.toSeconds() < 1 || leaseDuration.getNano() != 0) {
            throw new IllegalArgumentException("'leaseDuration' must be whole seconds, was " + leaseDuration);
        }
    }

    /** 15 s, 10 s and 2 s. */
    public static LeaseTiming defaults() {
        return DEFAULTS;
    }

    /** How long one request for the lease may take: half the renew deadline, at least a second. */
    public Duration requestTimeout() {
        Duration half = renewDeadline.dividedBy(2);
        return half.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : half;
    }

    /**
     * How long a standby waits: the retry period and up to 1.2 times more by chance, but not far beyond the moment the
     * lease runs out, zero if it has.
     */
    Duration standbyPause(Duration untilExpiry, ElectionClock chance) {
        Duration pause = retryPeriod.plus(scaled(JITTER_FACTOR * chance.random()));
        if (untilExpiry.isZero()) {
            return pause;
        }
        Duration soonAfter = untilExpiry.plus(scaled(0.1 * chance.random()));
        return pause.compareTo(soonAfter) < 0 ? pause : soonAfter;
    }

    private Duration scaled(double factor) {
        return Duration.ofNanos((long) (retryPeriod.toNanos() * factor));
    }
}
