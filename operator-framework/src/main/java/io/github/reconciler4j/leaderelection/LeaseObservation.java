package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.leaderelection.LeaseStore.Stored;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a replica has seen of a lease, and when, on its own clock: times in the lease come from other clocks and say
 * nothing. Used by one thread at a time.
 */
final class LeaseObservation {

    private final ElectionClock clock;
    private final LeaseTiming timing;

    /** The lease as it was last seen, and when what it says was first seen. */
    private @Nullable Stored last;

    private long sinceNanos;

    /** Whether the lease is gone although it was seen before, since when, and when that was last looked at. */
    private boolean missing;

    private long missingNanos;
    private long lastMissedNanos;

    LeaseObservation(ElectionClock clock, LeaseTiming timing) {
        this.clock = clock;
        this.timing = timing;
    }

    /** The lease as it was last seen, also if it is gone since; null if it was never seen. */
    @Nullable
    Stored last() {
        return last;
    }

    /** Who was last seen holding it, {@code ""} if nobody was. */
    String holder() {
        return last == null ? "" : last.record().holder();
    }

    /** Takes in what was read or written; whether somebody holds the lease who was not seen holding it before. */
    boolean see(Stored found) {
        missing = false;
        Stored before = last;
        last = found;
        if (before != null && before.record().equals(found.record())) {
            return false;
        }
        sinceNanos = clock.nanoTime();
        String holder = found.record().holder();
        return !holder.isEmpty() && (before == null || !before.record().holder().equals(holder));
    }

    /** Whether the time of the lease as it was last seen has not run out; no if it was given back in due form. */
    boolean isValid() {
        Stored seen = last;
        return seen != null && !isGivenBack(seen.record()) && !untilExpiry().isZero();
    }

    private static boolean isGivenBack(LeaseRecord record) {
        return record.holder().isEmpty() && record.leaseSeconds() <= 1;
    }

    /** The lease is not there; whether it was not long ago, so that its holder may be alive and create it again. */
    boolean isMissed() {
        if (last == null) {
            return false;
        }
        long now = clock.nanoTime();
        if (!missing || now - lastMissedNanos > timing.renewDeadline().toNanos()) {
            missing = true;
            missingNanos = now;
        }
        lastMissedNanos = now;
        return !until(missingNanos, timing.leaseDuration()).isZero();
    }

    /** How long until the time of the lease as it was last seen runs out; zero if it has or was never seen. */
    Duration untilExpiry() {
        Stored seen = last;
        return seen == null
                ? Duration.ZERO
                : until(sinceNanos, Duration.ofSeconds(seen.record().leaseSeconds()));
    }

    private Duration until(long beginNanos, Duration length) {
        return Duration.ofNanos(Math.max(0, beginNanos + length.toNanos() - clock.nanoTime()));
    }
}
