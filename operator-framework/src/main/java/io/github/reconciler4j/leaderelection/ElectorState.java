package io.github.reconciler4j.leaderelection;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What an elector is meant to do, told by others, and waited on by its thread. Safe for use by many threads. */
final class ElectorState {

    private enum Mode {
        /** Tries to take the lease, or renews it. */
        ACTIVE,
        /** Lost the lease and waits for {@link #standAgain}. */
        LOST,
        /** Renews the lease if it leads; must not take it. */
        WITHDRAWN,
        /** Ends. */
        CLOSED
    }

    private final LeaseFence fence;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private Mode mode = Mode.ACTIVE;
    private boolean leads;
    private boolean release;
    private boolean stepping;
    private @Nullable Thread thread;

    /** Creates it; the fence is opened and closed with leadership. */
    ElectorState(LeaseFence fence) {
        this.fence = fence;
    }

    /** Starts the elector's thread, unless it was started or is not wanted any more. */
    void start(Thread elector) {
        lock.lock();
        try {
            if (thread == null && mode == Mode.ACTIVE) {
                thread = elector;
                elector.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the thread does its work, or has been told to end. */
    boolean isAlive() {
        lock.lock();
        try {
            return thread == null || thread.isAlive() || mode == Mode.WITHDRAWN || mode == Mode.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    void withdraw() {
        lock.lock();
        try {
            if (mode == Mode.ACTIVE || mode == Mode.LOST) {
                mode = Mode.WITHDRAWN;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void standAgain() {
        lock.lock();
        try {
            if (mode == Mode.LOST) {
                mode = Mode.ACTIVE;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The thread is to end, which is returned; it is interrupted if it is within a step. */
    @Nullable
    Thread close(boolean giveBack) {
        lock.lock();
        try {
            mode = Mode.CLOSED;
            release = giveBack;
            changed.signalAll();
            if (stepping && thread != null) {
                thread.interrupt();
            }
            return thread;
        } finally {
            lock.unlock();
        }
    }

    /** Only while it steps is the thread interrupted, never while it tells a listener. */
    void stepping(boolean now) {
        lock.lock();
        try {
            stepping = now && mode != Mode.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the lease may be given back at the end. */
    boolean mayRelease() {
        lock.lock();
        try {
            return release || mode == Mode.WITHDRAWN;
        } finally {
            lock.unlock();
        }
    }

    /** The lease was won; false if it is not wanted any more. */
    boolean becomeLeader() {
        lock.lock();
        try {
            if (mode != Mode.ACTIVE) {
                return false;
            }
            leads = true;
            fence.grant();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The lease was lost; whether this replica led. */
    boolean ceaseToLead() {
        lock.lock();
        try {
            boolean led = leads;
            leads = false;
            fence.close();
            if (mode == Mode.ACTIVE) {
                mode = Mode.LOST;
            }
            return led;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next step, after a loss until {@link #standAgain}; false if there is none. */
    boolean pause(Duration pause) throws InterruptedException {
        long left = pause.toNanos();
        lock.lockInterruptibly();
        try {
            while (left > 0 || mode == Mode.LOST) {
                if (isOverLocked()) {
                    return false;
                }
                if (mode == Mode.LOST) {
                    changed.await();
                } else {
                    left = changed.awaitNanos(left);
                }
            }
            return !isOverLocked();
        } finally {
            lock.unlock();
        }
    }

    private boolean isOverLocked() {
        return mode == Mode.CLOSED || (mode == Mode.WITHDRAWN && !leads);
    }
}
