package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.leaderelection.Election.Change;
import io.github.reconciler4j.leaderelection.Election.Step;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election on one lease, renews it while leading, and gives it back. Works on one daemon thread of its own.
 * After a loss it stands still until {@link #standAgain}, so that what ran under the lease can end first. Safe for use
 * by many threads.
 */
public final class LeaderElector {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

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

    private final Settings settings;
    private final LeaseFence fence;
    private final LeaseMetrics metrics;
    private final Election election;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private Mode mode = Mode.ACTIVE;
    private boolean leads;
    private boolean release;
    private boolean stepping;
    private @Nullable Thread thread;

    /** Written by the elector's thread. */
    private volatile String holder = "";

    /** Confined to the elector's thread. */
    private @Nullable String unreportedHolder;

    /**
     * What an elector works with.
     *
     * @param name names the lease to the listener
     * @param store where the lease is
     * @param options the options
     * @param identity who this replica is, different from all others
     * @param listener is told how leadership moves
     * @param metrics where measurements go
     * @param otherLeases how many other leases this replica holds; when the lease is free, this replica lets others go
     *     first that often, so that leases spread
     */
    public record Settings(
            String name,
            LeaseStore store,
            LeaderElectionOptions options,
            String identity,
            LeadershipListener listener,
            OperatorMetrics metrics,
            IntSupplier otherLeases) {}

    /** Creates it; nothing happens before {@link #start}. */
    public LeaderElector(Settings settings) {
        this(settings, ElectionClock.SYSTEM);
    }

    LeaderElector(Settings settings, ElectionClock clock) {
        this.settings = settings;
        this.fence = new LeaseFence(clock, settings.options().timing().renewDeadline());
        this.metrics = new LeaseMetrics(settings.options().leaseName(), settings.metrics(), fence);
        this.election =
                new Election(settings.store(), settings.options(), settings.identity(), clock, fence, new Observer());
    }

    /** Stands for election from now on; further calls do nothing. */
    public void start() {
        lock.lock();
        try {
            if (thread == null && mode == Mode.ACTIVE) {
                thread = new Thread(
                        this::run, "leader-elector-" + settings.options().leaseName());
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether this replica may act as leader now; to be asked right before every write. */
    public LeaseFence fence() {
        return fence;
    }

    /** How this replica and the lease stand. */
    public LeaseStatus status() {
        return new LeaseStatus(
                settings.name(),
                settings.store().key(),
                settings.identity(),
                holder,
                fence.isOpen(),
                fence.remaining(),
                isAlive());
    }

    private boolean isAlive() {
        lock.lock();
        try {
            return thread == null || thread.isAlive() || mode == Mode.WITHDRAWN || mode == Mode.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Stands no more: a leader goes on leading, a standby does not become leader after this returns. */
    public void withdraw() {
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

    /** Stands for election again after a loss. */
    public void standAgain() {
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

    /**
     * Ends it and waits for its thread, at most the time of a few requests. What runs under the lease must have ended
     * before it is given back.
     *
     * @param giveBack whether to give the lease back if this replica holds it
     */
    public void close(boolean giveBack) {
        Thread running = beginClose(giveBack);
        fence.close();
        if (running != null && running != Thread.currentThread()) {
            try {
                running.join(4 * settings.options().timing().requestTimeout().toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        metrics.close();
    }

    private @Nullable Thread beginClose(boolean giveBack) {
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

    private void run() {
        try {
            boolean more = true;
            while (more) {
                Step step = step();
                take(step);
                more = pause(step);
            }
        } catch (InterruptedException e) {
            LOG.debug("Ended by an interrupt", e);
        } catch (Throwable e) {
            LOG.error("The elector of lease {} broke", describe(), e);
            take(new Step(Change.LOST, "the elector broke: " + e, Duration.ZERO));
        }
        // An interrupt has done its work and must not keep the lease from being given back.
        Thread.interrupted();
        if (mayRelease()) {
            election.release();
        }
    }

    private Step step() {
        stepping(true);
        try {
            return election.step();
        } finally {
            stepping(false);
        }
    }

    /** Only while it steps is the thread interrupted, never while it tells a listener. */
    private void stepping(boolean now) {
        lock.lock();
        try {
            stepping = now && mode != Mode.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    private boolean mayRelease() {
        lock.lock();
        try {
            return release || mode == Mode.WITHDRAWN;
        } finally {
            lock.unlock();
        }
    }

    /** Tells of a change, outside of the lock. */
    private void take(Step step) {
        String newHolder = unreportedHolder;
        unreportedHolder = null;
        if (newHolder != null) {
            tell(() -> settings.listener().newLeader(settings.name(), newHolder));
        }
        if (step.change() == Change.ELECTED && becomeLeader()) {
            LOG.info("This replica, {}, holds lease {} now", settings.identity(), describe());
            tell(() -> settings.listener().elected(settings.name()));
        } else if (step.change() == Change.LOST && ceaseToLead()) {
            LOG.warn("This replica, {}, has lost lease {}: {}", settings.identity(), describe(), step.reason());
            tell(() -> settings.listener().lost(settings.name(), step.reason()));
        }
    }

    private void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            LOG.error("A leadership listener of lease {} failed", describe(), e);
        }
    }

    private ObjectKey describe() {
        return settings.store().key();
    }

    private boolean becomeLeader() {
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

    private boolean ceaseToLead() {
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

    /** Waits for the next step; false if there is none. */
    private boolean pause(Step step) throws InterruptedException {
        long left = step.pause().toNanos();
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

    private final class Observer implements Election.ElectionListener {
        @Override
        public void slowPath() {
            metrics.slowPath();
        }

        @Override
        public void newHolder(String newHolder) {
            holder = newHolder;
            unreportedHolder = newHolder;
        }

        @Override
        public int otherLeases() {
            return settings.otherLeases().getAsInt();
        }
    }
}
