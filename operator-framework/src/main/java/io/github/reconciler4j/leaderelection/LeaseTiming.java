package io.github.reconciler4j.leaderelection;

import java.time.Duration;
import java.util.Objects;

/**
 * Time limits of leader election, with the meaning and the defaults of client-go. Immutable.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * .withLeaderElection(LeaderElectionOptions.named("greeter")
 *         .withTiming(
 *                 LeaseTiming.of(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(4))))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class LeaseTiming {

    /** The server stores the seconds in 32 bits; this is far below, so that sums do not overflow. */
    private static final Duration MAX_LEASE = Duration.ofDays(365);

    /** The maximum jitter of the retry period of a standby, as a multiple of the period. */
    private static final double JITTER_FACTOR = 1.2;

    private static final LeaseTiming DEFAULTS =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private final Duration leaseDuration;
    private final Duration renewDeadline;
    private final Duration retryPeriod;

    private LeaseTiming(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        this.leaseDuration = Objects.requireNonNull(leaseDuration, "'leaseDuration' must not be null");
        this.renewDeadline = Objects.requireNonNull(renewDeadline, "'renewDeadline' must not be null");
        this.retryPeriod = Objects.requireNonNull(retryPeriod, "'retryPeriod' must not be null");
        if (retryPeriod.isNegative() || retryPeriod.isZero()) {
            throw new IllegalArgumentException("'retryPeriod' must be positive, was " + retryPeriod);
        }
        if (leaseDuration.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "'leaseDuration' must not be longer than " + MAX_LEASE + ", was " + leaseDuration);
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException("'leaseDuration' must be longer than 'renewDeadline' (" + renewDeadline
                    + "), was " + leaseDuration);
        }
        if (renewDeadline.compareTo(retryPeriod) <= 0
                || renewDeadline.toNanos() <= retryPeriod.toNanos() * JITTER_FACTOR) {
            throw new IllegalArgumentException("'renewDeadline' must be more than " + JITTER_FACTOR
                    + " times 'retryPeriod' (" + retryPeriod + "), was " + renewDeadline);
        }
        if (leaseDuration.getNano() != 0) {
            throw new IllegalArgumentException("'leaseDuration' must be whole seconds, was " + leaseDuration);
        }
    }

    /** Return the defaults: 15, 10 and 2 seconds. */
    public static LeaseTiming defaults() {
        return DEFAULTS;
    }

    /**
     * Return a timing with the given values.
     *
     * @param leaseDuration how long standbys wait after the last renewal that they saw; whole seconds
     * @param renewDeadline how long the leader tries to renew the lease before it stops leading
     * @param retryPeriod how long to wait between two attempts
     * @throws IllegalArgumentException if the lease duration is not longer than the renew deadline or longer than a year, or the renew deadline
     *     not more than 1.2 times the retry period, or the retry period not positive
     */
    public static LeaseTiming of(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        return new LeaseTiming(leaseDuration, renewDeadline, retryPeriod);
    }

    /** Return how long standbys wait after the last renewal that they saw before they acquire the lease. */
    public Duration leaseDuration() {
        return leaseDuration;
    }

    /** Return how long the leader tries to renew the lease before it stops leading. */
    public Duration renewDeadline() {
        return renewDeadline;
    }

    /** Return how long to wait between two attempts; a standby waits up to 2.2 times as long, at random. */
    public Duration retryPeriod() {
        return retryPeriod;
    }

    /** Return the timeout of one request for the lease: half the renew deadline, but at least one second. */
    public Duration requestTimeout() {
        Duration half = renewDeadline.dividedBy(2);
        return half.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : half;
    }

    @Override
    public String toString() {
        return "LeaseTiming[leaseDuration=" + leaseDuration + ", renewDeadline=" + renewDeadline + ", retryPeriod="
                + retryPeriod + "]";
    }
}
