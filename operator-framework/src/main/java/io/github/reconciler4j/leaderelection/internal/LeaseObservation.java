package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaseStore.StoredLease;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What this replica has seen of the lease, and when on its own clock. The times in the lease are those of other clocks, so
 * they are not used.
 */
final class LeaseObservation {

    private final LeaseTiming timing;
    private final TimeSource time;

    /** The latest version that was seen, also if the lease has been deleted since; null before the first. */
    private @Nullable StoredLease last;

    /** When the content of the latest version was first seen. */
    private long sinceNanos;

    /** Whether the lease does not exist although it was seen before. */
    private boolean missing;

    /** Since when it is missing, and when that was last observed. */
    private long missingNanos;

    private long lastMissedNanos;

    LeaseObservation(LeaseTiming timing, TimeSource time) {
        this.timing = timing;
        this.time = time;
    }

    /** Return the latest version that was seen, also if the lease has been deleted since; null before the first. */
    @Nullable
    StoredLease last() {
        return last;
    }

    String holder() {
        return last == null ? "" : last.record().holder();
    }

    /** Takes note of what was read or written; returns whether it has a new holder. */
    boolean see(StoredLease found) {
        missing = false;
        StoredLease before = last;
        last = found;
        if (before != null && before.record().equals(found.record())) {
            return false;
        }
        sinceNanos = time.nanoTime();
        String holder = found.record().holder();
        return !holder.isEmpty() && (before == null || !before.record().holder().equals(holder));
    }

    /** Whether the lease, as it was last seen, is neither released nor expired. */
    boolean isValid() {
        StoredLease seen = last;
        return seen != null && !seen.record().isReleased() && !untilExpiry().isZero();
    }

    /** The lease does not exist. Whether it did recently, so that its holder may be alive and create it again. */
    boolean isMissed() {
        if (last == null) {
            return false;
        }
        long now = time.nanoTime();
        if (!missing || now - lastMissedNanos > timing.renewDeadline().toNanos()) {
            missing = true;
            missingNanos = now;
        }
        lastMissedNanos = now;
        return !until(missingNanos, timing.leaseDuration()).isZero();
    }

    /** How long until the lease, as it was last seen, expires; zero if it has or was never seen. */
    Duration untilExpiry() {
        StoredLease seen = last;
        return seen == null ? Duration.ZERO : until(sinceNanos, seen.record().lasts(timing.leaseDuration()));
    }

    private Duration until(long startNanos, Duration length) {
        return Duration.ofNanos(Math.max(0, startNanos + length.toNanos() - time.nanoTime()));
    }
}
