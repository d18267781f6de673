package io.github.reconciler4j.workqueue;

import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Where takers wait. One of them, the leader, waits for the next point in time; the others until they are woken. So no
 * thread is needed for delays. At most one taker is on its way after a wake-up; if it finds more than it takes, it
 * wakes the next before it goes. That keeps a producer from waking all takers for what one of them does alone.
 *
 * <p>All fields and methods are guarded by the lock of the queue. {@code woken} never exceeds the number of takers that
 * have left the condition and are about to get the lock: every wake-up adds at most one to it while there is such a
 * taker, and every taker that gets the lock takes one away, whatever made it leave.
 */
final class TakerGate {

    /** Nothing is due, ever. */
    static final long NEVER = -1;

    private final Condition condition;
    private int waiting;
    private int woken;
    private @Nullable Thread leader;

    TakerGate(Condition condition) {
        this.condition = condition;
    }

    /**
     * Waits until woken, until the delay is over, or for no reason.
     *
     * @param delay nanoseconds until the next entry is due, or {@link #NEVER}
     */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    void await(long delay) throws InterruptedException {
        Thread me = Thread.currentThread();
        boolean lead = delay != NEVER && leader == null;
        if (lead) {
            leader = me;
        }
        waiting++;
        try {
            if (lead) {
                condition.awaitNanos(delay);
            } else {
                condition.await();
            }
        } finally {
            waiting--;
            woken = Math.max(0, woken - 1);
            if (leader == me) {
                leader = null;
            }
        }
    }

    /** Whether nobody waits for the next point in time. */
    boolean lacksLeader() {
        return leader == null;
    }

    /** The next point in time is earlier than the leader knows: somebody else has to wait for it. */
    void depose() {
        leader = null;
    }

    /** Wakes a taker, unless one is on its way. */
    void wakeOne() {
        if (woken == 0 && waiting > 0) {
            woken = 1;
            condition.signal();
        }
    }

    void wakeAll() {
        woken = waiting;
        condition.signalAll();
    }
}
