package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.client.ApiException;
import io.github.reconciler4j.leaderelection.LeaseStore.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The algorithm of client-go's leader election as a machine that somebody else drives: every {@link #step} makes one
 * try. Where it is stricter than the original:
 *
 * <ul>
 *   <li>the renew deadline counts from the beginning of the last successful renewal, not from the first failure;
 *   <li>somebody else's name in the lease ends leadership at once, not at the deadline;
 *   <li>a lease that was seen and then deleted, emptied or handed to this replica by somebody else is taken only after
 *       its time has run out since, because its former holder may not know yet.
 * </ul>
 *
 * <p>Used by one thread at a time.
 */
final class Election {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);

    private final LeaseStore store;
    private final LeaderElectionOptions options;
    private final String identity;
    private final ElectionClock clock;
    private final LeaseFence fence;
    private final ElectionListener listener;

    private boolean leading;
    private int courtesies;
    private String trouble = "";

    /** The lease as it was last seen, and when what it says was first seen. */
    private @Nullable Stored observed;

    private long observedNanos;

    /** Whether the lease is gone although it was seen before, since when, and when that was last looked at. */
    private boolean missing;

    private long missingNanos;
    private long lastMissedNanos;

    /** What was last sent, and when; kept because it may have arrived although no answer came. */
    private @Nullable LeaseRecord sent;

    private long sentNanos;
    private Instant sentInstant = Instant.EPOCH;

    Election(
            LeaseStore store,
            LeaderElectionOptions options,
            String identity,
            ElectionClock clock,
            LeaseFence fence,
            ElectionListener listener) {
        this.store = store;
        this.options = options;
        this.identity = identity;
        this.clock = clock;
        this.fence = fence;
        this.listener = listener;
    }

    /** What happens on the way. */
    interface ElectionListener {
        /** The lease had to be read because what was known of it was not enough. */
        void slowPath();

        /** Somebody holds the lease who was not seen holding it before. */
        void newHolder(String holder);

        /** How many other leases this replica holds; each lets others go first once when a lease is free. */
        int otherLeases();
    }

    /** What a step came to. */
    enum Change {
        NONE,
        ELECTED,
        LOST
    }

    /**
     * The outcome of a step.
     *
     * @param change what has changed
     * @param reason why leadership was lost, {@code ""} otherwise
     * @param pause how long to wait before the next step
     */
    record Step(Change change, String reason, Duration pause) {}

    /** Tries once to take or to renew the lease. */
    Step step() {
        return leading ? renew() : stand();
    }

    private Step stand() {
        if (attempt(options.timing().requestTimeout())) {
            leading = true;
            courtesies = 0;
            return new Step(Change.ELECTED, "", options.timing().retryPeriod());
        }
        return new Step(Change.NONE, "", standbyPause());
    }

    private Step renew() {
        Duration left = untilDeadline();
        if (!left.isZero() && attempt(min(options.timing().requestTimeout(), left))) {
            return new Step(Change.NONE, "", options.timing().retryPeriod());
        }
        String holder = observed == null ? identity : observed.record().holder();
        if (!holder.equals(identity)) {
            return lose(holder.isEmpty() ? "somebody released it" : "it is held by " + holder + " now");
        }
        if (untilDeadline().isZero()) {
            return lose("it could not be renewed within "
                    + options.timing().renewDeadline().toSeconds() + " s" + (trouble.isEmpty() ? "" : ": " + trouble));
        }
        return new Step(Change.NONE, "", min(options.timing().retryPeriod(), untilDeadline()));
    }

    private Step lose(String reason) {
        fence.close();
        leading = false;
        return new Step(Change.LOST, reason, options.timing().retryPeriod());
    }

    /** Whether this replica holds the lease, renewed just now. */
    private boolean attempt(Duration timeout) {
        try {
            boolean holds = leading ? renewKnown(timeout) : takeIfFree(timeout);
            if (holds) {
                trouble = "";
            }
            return holds;
        } catch (RuntimeException e) {
            // Whatever it is, the next try may succeed, and the fence closes by itself if none does.
            report(e);
            return false;
        }
    }

    private boolean renewKnown(Duration timeout) {
        Stored known = observed;
        if (known != null && known.record().holder().equals(identity)) {
            try {
                return write(known, renewed(known.record()), timeout);
            } catch (ApiException e) {
                if (e.code() != 409 && e.code() != 404) {
                    throw e;
                }
                listener.slowPath();
            }
        }
        Optional<Stored> found = store.read(timeout);
        if (found.isEmpty()) {
            LOG.warn("Lease {} was deleted by somebody; it is created again", store.key());
            return write(null, known == null ? first() : renewed(known.record()), timeout);
        }
        see(found.get());
        LeaseRecord record = found.get().record();
        return record.holder().equals(identity)
                && !untilDeadline().isZero()
                && write(found.get(), renewed(record), timeout);
    }

    private boolean takeIfFree(Duration timeout) {
        Optional<Stored> found = store.read(timeout);
        if (found.isPresent()) {
            see(found.get());
        }
        if (isHeldByAnother(found) || letsOthersGoFirst()) {
            return false;
        }
        if (found.isEmpty()) {
            return write(null, first(), timeout);
        }
        LeaseRecord record = found.get().record();
        boolean mine = record.equals(sent);
        return write(
                found.get(), mine ? renewed(record) : record.taken(identity, leaseSeconds(), clock.instant()), timeout);
    }

    private boolean isHeldByAnother(Optional<Stored> found) {
        boolean held = found.isPresent() ? isHeld(found.get().record()) : isMissed();
        if (held) {
            courtesies = 0;
        }
        return held;
    }

    /** Only a lease given back in due form, or sent by this replica itself, is free before its time has run out. */
    private boolean isHeld(LeaseRecord record) {
        boolean givenBack = record.holder().isEmpty() && record.leaseSeconds() <= 1;
        return !givenBack
                && !record.equals(sent)
                && !untilExpiry(observedNanos, record.leaseSeconds()).isZero();
    }

    /** Whether there was a lease not long ago: its holder may be alive and create it again. */
    private boolean isMissed() {
        if (observed == null) {
            return false;
        }
        long now = clock.nanoTime();
        long gap = options.timing().renewDeadline().toNanos();
        if (!missing || now - lastMissedNanos > gap) {
            missing = true;
            missingNanos = now;
        }
        lastMissedNanos = now;
        return !untilExpiry(missingNanos, leaseSeconds()).isZero();
    }

    private boolean letsOthersGoFirst() {
        if (courtesies < listener.otherLeases()) {
            courtesies++;
            return true;
        }
        return false;
    }

    private void see(Stored found) {
        missing = false;
        Stored before = observed;
        if (before == null || !before.record().equals(found.record())) {
            observedNanos = clock.nanoTime();
            String holder = found.record().holder();
            if (!holder.isEmpty()
                    && (before == null || !before.record().holder().equals(holder))) {
                listener.newHolder(holder);
            }
        }
        observed = found;
        if (leading && found.record().equals(sent)) {
            fence.extend(sentNanos, sentInstant);
        }
    }

    private boolean write(@Nullable Stored previous, LeaseRecord record, Duration timeout) {
        sentNanos = clock.nanoTime();
        sentInstant = clock.instant();
        if (leading && untilDeadline().isZero()) {
            // The process was paused since the step began. Renewing now would reopen the fence after others may have
            // led.
            return false;
        }
        sent = record;
        Stored stored = previous == null ? store.create(record, timeout) : store.update(previous, record, timeout);
        fence.extend(sentNanos, sentInstant);
        see(stored);
        return true;
    }

    private LeaseRecord first() {
        return LeaseRecord.first(identity, leaseSeconds(), clock.instant());
    }

    private LeaseRecord renewed(LeaseRecord record) {
        return record.renewed(identity, leaseSeconds(), clock.instant());
    }

    private int leaseSeconds() {
        return (int) options.timing().leaseDuration().toSeconds();
    }

    /** Gives the lease back if this replica holds it, even if it does not know so; the fence is closed before. */
    void release() {
        boolean led = leading;
        fence.close();
        leading = false;
        if (sent == null) {
            return;
        }
        try {
            Optional<Stored> found = store.read(options.timing().requestTimeout());
            if (found.isPresent() && isOwn(found.get().record(), led)) {
                store.update(
                        found.get(),
                        found.get().record().released(clock.instant()),
                        options.timing().requestTimeout());
                LOG.info("Lease {} is given back", store.key());
            }
        } catch (ApiException e) {
            LOG.warn("Lease {} could not be given back and runs out by itself: {}", store.key(), e.getMessage());
        }
    }

    /** A lease that somebody else put this replica's name into is not its own: the former holder may not know yet. */
    private boolean isOwn(LeaseRecord record, boolean led) {
        return record.equals(sent) || (led && record.holder().equals(identity));
    }

    private void report(RuntimeException e) {
        String message = e instanceof ApiException ? String.valueOf(e.getMessage()) : e.toString();
        if (leading || !message.equals(trouble)) {
            LOG.warn("Lease {} could not be {}: {}", store.key(), leading ? "renewed" : "taken", message);
        }
        trouble = message;
    }

    private Duration untilDeadline() {
        return Duration.ofNanos(Math.max(0, fence.nanosToDeadline()));
    }

    private Duration untilExpiry(long sinceNanos, int seconds) {
        long left = sinceNanos + Duration.ofSeconds(seconds).toNanos() - clock.nanoTime();
        return Duration.ofNanos(Math.max(0, left));
    }

    /** The retry period and up to 1.2 times more by chance, but not far beyond the moment the lease runs out. */
    private Duration standbyPause() {
        Duration period = options.timing().retryPeriod();
        Duration pause = period.plus(scaled(period, LeaseTiming.JITTER_FACTOR * clock.random()));
        Stored known = observed;
        Duration left = known == null
                ? Duration.ZERO
                : untilExpiry(observedNanos, known.record().leaseSeconds());
        return left.isZero() ? pause : min(pause, left.plus(scaled(period, 0.1 * clock.random())));
    }

    private static Duration scaled(Duration duration, double factor) {
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
