package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.ElectionStep.Change;
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
    private final LeaseObservation observed;

    private boolean leading;
    private int courtesies;
    private String trouble = "";

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
        this.observed = new LeaseObservation(clock, options.timing());
    }

    /** Tries once to take or to renew the lease. */
    ElectionStep step() {
        return leading ? renew() : stand();
    }

    private ElectionStep stand() {
        if (attempt(options.timing().requestTimeout())) {
            leading = true;
            courtesies = 0;
            return new ElectionStep(Change.LEADER_ELECTED, "", options.timing().retryPeriod());
        }
        return new ElectionStep(Change.NONE, "", options.timing().standbyPause(observed.untilExpiry(), clock));
    }

    private ElectionStep renew() {
        Duration left = untilDeadline();
        if (!left.isZero() && attempt(min(options.timing().requestTimeout(), left))) {
            return new ElectionStep(Change.NONE, "", options.timing().retryPeriod());
        }
        String holder = observed.last() == null ? identity : observed.holder();
        if (!holder.equals(identity)) {
            return lose(holder.isEmpty() ? "somebody released it" : "it is held by " + holder + " now");
        }
        if (untilDeadline().isZero()) {
            return lose("it could not be renewed within "
                    + options.timing().renewDeadline().toSeconds() + " s" + (trouble.isEmpty() ? "" : ": " + trouble));
        }
        return new ElectionStep(Change.NONE, "", min(options.timing().retryPeriod(), untilDeadline()));
    }

    private ElectionStep lose(String reason) {
        fence.close();
        leading = false;
        return new ElectionStep(Change.LOST, reason, options.timing().retryPeriod());
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
        Stored known = observed.last();
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

    /** Only a lease given back in due form, or sent by this replica itself, is free before its time has run out. */
    private boolean isHeldByAnother(Optional<Stored> found) {
        boolean held =
                found.isPresent() ? !found.get().record().equals(sent) && observed.isValid() : observed.isMissed();
        if (held) {
            courtesies = 0;
        }
        return held;
    }

    private boolean letsOthersGoFirst() {
        if (courtesies < listener.otherLeases()) {
            courtesies++;
            return true;
        }
        return false;
    }

    private void see(Stored found) {
        if (observed.see(found)) {
            listener.newHolder(found.record().holder());
        }
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

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
