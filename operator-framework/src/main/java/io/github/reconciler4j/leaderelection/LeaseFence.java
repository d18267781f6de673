package io.github.reconciler4j.leaderelection;

import java.time.Duration;
import java.time.Instant;

/**
 * Says at any moment whether this replica may act as leader: it was elected, and began its last successful renewal less
 * than the renew deadline ago. Needs no thread to close, so it is closed in time even if the process was paused. Goes by
 * the monotonic clock and by the time of day, because a suspended machine stops the former. Safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public final class LeaseFence {

    private final ElectionClock clock;
    private final long renewDeadlineNanos;

    /** Whether leadership was granted and not withdrawn; written by the elector's thread. */
    private volatile boolean granted;

    private volatile Validity validity;

    private record Validity(long untilNanos, Instant untilInstant) {}

    LeaseFence(ElectionClock clock, Duration renewDeadline) {
        this.clock = clock;
        this.renewDeadlineNanos = renewDeadline.toNanos();
        this.validity = new Validity(clock.nanoTime(), clock.instant());
    }

    /** Whether this replica may act as leader now. */
    public boolean isOpen() {
        Validity now = validity;
        return granted
                && clock.nanoTime() - now.untilNanos < 0
                && clock.instant().isBefore(now.untilInstant);
    }

    /** Whether it was open and has closed only because time has passed, so that the elector may not know yet. */
    public boolean hasExpired() {
        return granted && !isOpen();
    }

    /** How long it stays open without another renewal; zero if it is closed. */
    public Duration remaining() {
        long left = validity.untilNanos - clock.nanoTime();
        return isOpen() && left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    /** A renewal that began at these times has succeeded. */
    void extend(long beganNanos, Instant beganInstant) {
        validity = new Validity(beganNanos + renewDeadlineNanos, beganInstant.plusNanos(renewDeadlineNanos));
    }

    /** How long the elector may still try to renew, by the monotonic clock alone. */
    long nanosToDeadline() {
        return validity.untilNanos - clock.nanoTime();
    }

    void grant() {
        granted = true;
    }

    void close() {
        granted = false;
    }
}
