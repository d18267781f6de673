package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaseStore.StoredLease;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RequestBound;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The algorithm of leader election as a state machine without threads: each {@link #step} makes one attempt to acquire or
 * renew the lease. It is the algorithm of client-go, and stricter in these points:
 *
 * <ul>
 *   <li>The renew deadline counts from the start of the last successful renewal, not from the first failure.
 *   <li>Another holder in the lease ends leadership immediately, not at the deadline.
 *   <li>A lease that was seen and then deleted, emptied or handed to this replica by another writer is acquired only after its
 *       duration has passed since, because its former holder may not know yet.
 *   <li>A process that was paused while it renewed the lease does not complete the renewal after the deadline. An acquisition or
 *       a renewal whose response comes after the deadline does not count either.
 * </ul>
 *
 * <p>Confined to one thread. See {@link LeaseFence} for the reasons.
 *
 * @since 0.1.0
 */
public final class Election {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);

    /** The jitter of the retry period of a standby, as a multiple of the period; the value of client-go. */
    private static final double JITTER_FACTOR = 1.2;

    /**
     * How many requests beyond one in a retry period are sent at once, and how often in the long run: whatever the API server answers, 9
     * in any 10 seconds.
     */
    private static final int EXTRA_REQUESTS = 4;

    private static final Duration EXTRA_INTERVAL = Duration.ofSeconds(2);

    private final LeaseStore store;
    private final LeaseTiming timing;
    private final String identity;
    private final TimeSource time;
    private final DoubleSupplier random;
    private final LeaseFence fence;
    private final Listener listener;
    private final LeaseObservation observed;
    private final LeaseFailures failures;
    private final RequestBound extra;

    private boolean leading;

    /** Whether the version of the lease that is known was refused, so that it has to be read. */
    private boolean stale;

    /** How often this replica has let others acquire the free lease first. */
    private int yields;

    /** Why the last attempt failed, {@code ""} if it did not. */
    private String failure = "";

    /** What was sent last, and when. Kept because it may have been applied although no response arrived. */
    private @Nullable LeaseRecord sent;

    /** What was written last with a response; null as soon as something else was seen. */
    private @Nullable LeaseRecord confirmed;

    /** Whether the lease was found to be gone when the wall clock said that it had expired. */
    private boolean deletedMeanwhile;

    private long sentNanos;
    private Instant sentInstant = Instant.EPOCH;

    /**
     * Receives what happens between the steps, and answers what the election cannot know.
     *
     * @since 0.1.0
     */
    public interface Listener {

        /** Notify that the lease had to be read because a renewal of its known version failed. */
        void slowPath();

        /** Notify that the lease has a holder that was not seen before. */
        void newHolder(String holder);

        /** Return how many other leases this replica holds. For each it lets others acquire a free lease first once. */
        int otherLeases();
    }

    /**
     * The outcome of one step.
     *
     * @param change whether the lease was acquired or lost
     * @param reason why leadership was lost, {@code ""} otherwise
     * @param pause how long to wait before the next step
     * @since 0.1.0
     */
    public record Step(Change change, String reason, Duration pause) {

        /**
         * What a step can change.
         *
         * @since 0.1.0
         */
        public enum Change {
            /** Nothing. */
            NONE,
            /** The lease was acquired. */
            ACQUIRED,
            /** The lease was lost, and the fence is closed. */
            LOST
        }
    }

    /**
     * Create an election.
     *
     * @param random returns numbers from 0 to 1, for jitter
     * @param fence extended with each renewal, closed when the lease is lost
     */
    public Election(
            LeaseStore store,
            LeaderElectionOptions options,
            String identity,
            TimeSource time,
            DoubleSupplier random,
            LeaseFence fence,
            Listener listener) {
        this.store = store;
        this.timing = options.timing();
        this.identity = identity;
        this.time = time;
        this.random = random;
        this.fence = fence;
        this.listener = listener;
        this.observed = new LeaseObservation(timing, time);
        this.failures = new LeaseFailures(store.key(), timing, time);
        this.extra = new RequestBound(EXTRA_REQUESTS, EXTRA_INTERVAL.toNanos(), time.nanoTime());
    }

    /** Make one attempt to acquire or renew the lease. */
    public Step step() {
        return leading ? renew() : campaign();
    }

    private Step campaign() {
        // An acquisition that was answered too late is not announced: others may have led since. The next step repeats
        // it.
        if (attempt(timing.requestTimeout()) && !untilDeadline().isZero() && !fence.isOverByWallClock()) {
            leading = true;
            yields = 0;
            return new Step(Step.Change.ACQUIRED, "", timing.retryPeriod());
        }
        return new Step(Step.Change.NONE, "", standbyPause());
    }

    /** The retry period and some jitter, but not far beyond the moment the lease expires. */
    private Duration standbyPause() {
        Duration pause = timing.retryPeriod().plus(ofRetryPeriod(JITTER_FACTOR * random.getAsDouble()));
        Duration untilExpiry = observed.untilExpiry();
        return untilExpiry.isZero()
                ? pause
                : allowed(min(pause, untilExpiry.plus(ofRetryPeriod(0.1 * random.getAsDouble()))));
    }

    /** A pause that is shorter than a retry period costs a request. */
    private Duration allowed(Duration pause) {
        return pause.compareTo(timing.retryPeriod()) >= 0 || maySend(1) ? pause : timing.retryPeriod();
    }

    /** Returns whether more requests may be sent than one in a retry period, and counts them. */
    private boolean maySend(int requests) {
        long now = time.nanoTime();
        extra.sent(now, requests - 1);
        boolean may = extra.nanosUntilNext(now) == 0;
        if (may) {
            extra.sent(now, 1);
        } else {
            extra.allow(requests - 1);
        }
        return may;
    }

    private Duration ofRetryPeriod(double factor) {
        return Duration.ofNanos((long) (timing.retryPeriod().toNanos() * factor));
    }

    private Step renew() {
        Duration left = untilDeadline();
        if (!left.isZero()
                && attempt(min(timing.requestTimeout(), left))
                && !untilDeadline().isZero()) {
            // If the machine was suspended meanwhile, the next renewal finds out at once whether others have led.
            return new Step(
                    Step.Change.NONE, "", fence.isOverByWallClock() ? allowed(Duration.ZERO) : timing.retryPeriod());
        }
        if (deletedMeanwhile) {
            return lose("it was deleted after it had expired by the wall clock, so another replica may have led");
        }
        String holder = observed.last() == null ? identity : observed.holder();
        if (!holder.equals(identity)) {
            return lose(
                    holder.isEmpty()
                            ? "another client released it"
                            : "it is held by " + Texts.inOneLine(holder) + " now");
        }
        if (untilDeadline().isZero()) {
            return lose("it could not be renewed within "
                    + timing.renewDeadline().toSeconds() + " s" + (failure.isEmpty() ? "" : ": " + failure));
        }
        return new Step(Step.Change.NONE, "", min(timing.retryPeriod(), untilDeadline()));
    }

    private Step lose(String reason) {
        deletedMeanwhile = false;
        fence.close();
        leading = false;
        stale = false;
        failures.lost(reason);
        return new Step(Step.Change.LOST, reason, timing.retryPeriod());
    }

    /** Returns whether this replica holds the lease, renewed by this attempt. */
    private boolean attempt(Duration timeout) {
        try {
            boolean holds = leading ? renewKnown(timeout) : acquireIfFree(timeout);
            if (holds) {
                failure = "";
            }
            return holds;
        } catch (Throwable e) {
            // Of any kind: the next attempt may succeed, and the fence closes if none does.
            failure = failures.failed(leading ? "renew" : "acquire", e);
            return false;
        }
    }

    private boolean renewKnown(Duration timeout) {
        StoredLease known = observed.last();
        boolean paid = false;
        if (!stale && known != null && known.record().holder().equals(identity)) {
            try {
                return write(known, renewed(known.record()), timeout);
            } catch (ApiException e) {
                if (e.code() != 409 && e.code() != 404) {
                    throw e;
                }
                listener.slowPath();
                stale = true;
                failure = failures.refused(e);
                paid = maySend(2);
                if (!paid) {
                    return false; // the next step reads first
                }
            }
        }
        Optional<StoredLease> found = store.read(timeout);
        if (found.isEmpty()) {
            return createAgain(known, paid, timeout);
        }
        see(found.get());
        stale = false;
        LeaseRecord record = found.get().record();
        return record.holder().equals(identity)
                && !untilDeadline().isZero()
                && (paid || maySend(1))
                && write(found.get(), renewed(record), timeout);
    }

    /**
     * If the machine was suspended, others may have led, released the lease and deleted it. The second check is for a suspension
     * after the first: no version of the lease lets the API server refuse a late creation.
     */
    private boolean createAgain(@Nullable StoredLease known, boolean paid, Duration timeout) {
        deletedMeanwhile = fence.isOverByWallClock();
        if (deletedMeanwhile) {
            return false;
        }
        failure = failures.deleted();
        if (!paid && !maySend(1)) {
            return false;
        }
        boolean created = write(null, known == null ? first() : renewed(known.record()), timeout);
        deletedMeanwhile |= created && fence.isOverByWallClock();
        return created && !deletedMeanwhile;
    }

    private boolean acquireIfFree(Duration timeout) {
        Optional<StoredLease> found = store.read(timeout);
        if (found.isPresent()) {
            see(found.get());
        }
        if (isHeldByAnother(found) || yieldsToOthers() || !maySend(1)) {
            return false;
        }
        if (found.isEmpty()) {
            return write(null, first(), timeout);
        }
        LeaseRecord record = found.get().record();
        boolean own = isUnchanged(record);
        return write(
                found.get(), own ? renewed(record) : record.acquired(identity, seconds(), time.instant()), timeout);
    }

    /** Whether no other client has written the lease since this replica did. */
    private boolean isUnchanged(LeaseRecord record) {
        return record.equals(sent) || record.equals(confirmed);
    }

    /** Only a lease that was released, or written by this replica last, is free before its duration has passed. */
    private boolean isHeldByAnother(Optional<StoredLease> found) {
        boolean held =
                found.isPresent() ? !isUnchanged(found.get().record()) && observed.isValid() : observed.isMissed();
        if (held) {
            yields = 0;
        }
        return held;
    }

    private boolean yieldsToOthers() {
        if (yields < listener.otherLeases()) {
            yields++;
            return true;
        }
        return false;
    }

    private void see(StoredLease found) {
        if (!found.record().equals(confirmed)) {
            confirmed = null;
        }
        if (observed.see(found)) {
            listener.newHolder(found.record().holder());
        }
        if (leading && found.record().equals(sent)) {
            fence.extend(sentNanos, sentInstant);
        }
    }

    private boolean write(@Nullable StoredLease previous, LeaseRecord record, Duration timeout) {
        sentNanos = time.nanoTime();
        sentInstant = time.instant();
        if (leading && untilDeadline().isZero()) {
            // The process was paused since the step started. A renewal now would open the fence again after others may
            // have led.
            return false;
        }
        if (leading && previous == null && fence.isOverByWallClock()) {
            deletedMeanwhile = true; // suspended since the check of the caller
            return false;
        }
        sent = record;
        StoredLease stored = previous == null ? store.create(record, timeout) : store.update(previous, record, timeout);
        fence.extend(sentNanos, sentInstant);
        see(stored);
        confirmed = record;
        stale = false;
        return true;
    }

    private LeaseRecord first() {
        return LeaseRecord.first(identity, seconds(), time.instant());
    }

    private LeaseRecord renewed(LeaseRecord record) {
        return record.renewed(identity, seconds(), time.instant());
    }

    private int seconds() {
        return (int) timing.leaseDuration().toSeconds();
    }

    /** Close the fence and release the lease if this replica holds it, also if it does not know so. */
    public void release() {
        boolean led = leading;
        fence.close();
        leading = false;
        if (sent == null) {
            return;
        }
        try {
            Optional<StoredLease> found = store.read(timing.requestTimeout());
            if (found.isPresent() && isOwn(found.get().record(), led)) {
                store.update(found.get(), found.get().record().released(time.instant()), timing.requestTimeout());
                LOG.info("Released lease {}", store.key());
            }
        } catch (Throwable e) {
            LOG.warn("Could not release lease {}, which will expire: {}", store.key(), LeaseFailures.messageOf(e));
        }
    }

    /** A lease that another client put this replica's name into is not its own: the former holder may not know yet. */
    private boolean isOwn(LeaseRecord record, boolean led) {
        return isUnchanged(record) || (led && record.holder().equals(identity));
    }

    /** Return what has gone wrong three times or more lately, {@code ""} if nothing has. Any thread may ask. */
    public String failure() {
        return failures.text();
    }

    private Duration untilDeadline() {
        return Duration.ofNanos(Math.max(0, fence.nanosToDeadline()));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
