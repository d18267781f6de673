package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * Says at any moment whether this replica may act as leader: it was elected, and the start of its last successful renewal is
 * less than the renew deadline ago.
 *
 * <h2>What it is for</h2>
 *
 * A lease alone does not stop a former leader from writing. Its process can be paused by the garbage collector, the hypervisor
 * or SIGSTOP while another replica acquires the lease; when it continues, it does not know yet that it has lost. So every
 * client of a manager asks the fence immediately before it sends a write. The fence needs no thread, no timer and no request
 * to close: it compares two clocks with a point in time that was fixed when the lease was last renewed.
 *
 * <h2>Why a former leader is fenced before the next one writes</h2>
 *
 * Let the leader send a renewal at {@code s}. It is applied by the API server at some {@code a >= s}. Another replica sees it
 * at some {@code o >= a}, and acquires the lease at {@code o + leaseDuration} at the earliest, because it waits for the whole
 * lease duration after it has last seen a change, on its own clock. The fence closes at {@code s + renewDeadline}. As
 * {@code renewDeadline < leaseDuration} ({@code LeaseTiming} checks this), the fence closes at least
 * {@code leaseDuration - renewDeadline} before the earliest take-over: 5 seconds by default. This needs
 *
 * <ul>
 *   <li>no clocks that agree. Each replica only measures intervals, so only the rates of the clocks must be close: within the
 *       factor {@code leaseDuration / renewDeadline}, 1.5 by default.
 *   <li>to count from the <em>start</em> of the renewal. With the time of the response, the argument breaks if the response is
 *       slow: {@code s + delay + renewDeadline} can be later than {@code o + leaseDuration}.
 *   <li>that nothing but time frees a lease whose holder has not released it. {@link Election} observes this also for leases
 *       that were deleted or edited.
 * </ul>
 *
 * The margin covers what the fence cannot: a write that passed the fence and is still on its way. A process that is paused
 * between the check and the send, or a network that delays the request for longer than the margin, can still deliver a late
 * write. No client can prevent this; updates with a resourceVersion then fail with a conflict.
 *
 * <h2>Two clocks</h2>
 *
 * The monotonic clock does not jump, but it stops on some systems while the machine is suspended, so it can say that no time
 * has passed. The wall clock continues during a suspension, but can be set back. The fence is closed if either says so: it would
 * take a suspension and a wall clock that was set back by the same time to keep it open too long. A wall clock that is set
 * forward closes the fence too early. This is safe, and the next renewal opens it again.
 *
 * <p>The elector decides by the monotonic clock alone how long it still tries to renew ({@link #nanosToDeadline}). A jump of
 * the wall clock must not end leadership; it only refuses writes until the next renewal. A renewal of the version that is known
 * proves that no other replica has led. A lease that was deleted proves nothing: another replica may have led before, so it is
 * created again only if neither clock says that it had expired.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>Only the thread of the elector calls {@link #extend}, {@link #grant} and {@link #close}, except that the elector closes
 *       the fence from another thread when it is itself closed. After that nothing grants it: the elector checks its mode under
 *       its lock before it grants.
 *   <li>{@code extend} comes before {@code grant}: the fence never opens with the validity of a former term.
 *   <li>{@code extend} is called only with the start of a renewal that the API server has confirmed, and only if the fence had
 *       not expired when the renewal was sent. A renewal that is sent after the deadline must not open the fence, because another
 *       replica may have led in between. {@link Election} checks this again immediately before it sends.
 *   <li>{@code close} is called before any listener is notified that the lease is lost. A component that is being interrupted cannot
 *       write any more.
 * </ol>
 *
 * <h2>Visibility</h2>
 *
 * The two fields are volatile, and the validity is an immutable pair, so no reader sees the end of one renewal by the monotonic
 * clock and that of another by the wall clock. A reader reads the validity first. If the lease is lost and acquired again
 * between the two reads, it sees the end of the former term and the grant of the new one. The answer is then closed, or open
 * while the replica does lead: both are right.
 *
 * <p>No lock is involved: a write must not wait for an elector that is waiting for a response.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class LeaseFence {

    private final TimeSource time;
    private final long renewDeadlineNanos;

    /** Whether leadership was granted and not withdrawn. */
    private volatile boolean granted;

    private volatile Validity validity;

    private record Validity(long untilNanos, Instant untilInstant) {}

    /** Create a closed fence. */
    public LeaseFence(TimeSource time, Duration renewDeadline) {
        this.time = time;
        this.renewDeadlineNanos = renewDeadline.toNanos();
        this.validity = new Validity(time.nanoTime(), time.instant());
    }

    /** Return whether this replica may act as leader now. */
    public boolean isOpen() {
        Validity now = validity;
        return granted && time.nanoTime() - now.untilNanos < 0 && time.instant().isBefore(now.untilInstant);
    }

    /** Return whether it has closed only because time has passed, so that the elector may not have noticed yet. */
    public boolean hasExpired() {
        return granted && !isOpen();
    }

    /** Return how long it stays open without another renewal, zero if it is closed. */
    public Duration remaining() {
        long left = validity.untilNanos - time.nanoTime();
        return isOpen() ? Duration.ofNanos(Math.max(0, left)) : Duration.ZERO;
    }

    /** A renewal that was sent at this time has succeeded. */
    void extend(long sentNanos, Instant sentInstant) {
        validity = new Validity(sentNanos + renewDeadlineNanos, sentInstant.plusNanos(renewDeadlineNanos));
    }

    /** How long the elector may still try to renew, by the monotonic clock alone. */
    long nanosToDeadline() {
        return validity.untilNanos - time.nanoTime();
    }

    /** Whether the last renewal is over according to the wall clock: it was set forward, or the machine was suspended. */
    boolean isOverByWallClock() {
        return !time.instant().isBefore(validity.untilInstant);
    }

    /** Leadership was granted. */
    public void grant() {
        granted = true;
    }

    /** Leadership was withdrawn. */
    public void close() {
        granted = false;
    }
}
