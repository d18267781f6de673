package io.github.reconciler4j.leaderelection.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.FlightEvents;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the {@link Election} for one lease on a daemon thread: campaigns, renews the lease while leading, and releases it. After
 * a loss it waits for {@link #rejoin}, so that everything that ran under the lease can end first.
 *
 * <p>The lock guards what others ask of the thread. It is not held during requests and notifications. The thread is interrupted
 * only while it makes a step, never while it notifies the listener.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class LeaderElector {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    /** A release takes a read and a write, and a step in progress may take as much. */
    private static final int REQUESTS_AT_CLOSE = 4;

    /** How many lines about one lease are logged a minute at most, of each kind. */
    public static final int MAX_LINES = 3;

    private final Settings settings;
    private final TimeSource time;
    private final LogLimiter changes;
    private final LeaseFence fence;
    private final Metrics metrics;
    private final Election election;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private Mode mode = Mode.ACTIVE;

    @GuardedBy("lock")
    private boolean leads;

    @GuardedBy("lock")
    private boolean release;

    @GuardedBy("lock")
    private boolean stepping;

    @GuardedBy("lock")
    private @Nullable Thread thread;

    /** Written by the thread of the elector. */
    private volatile String holder = "";

    /** Confined to the thread of the elector. */
    private @Nullable String unreportedHolder;

    private enum Mode {
        /** Campaigns, or renews the lease. */
        ACTIVE,
        /** Has lost the lease and waits for {@link #rejoin}. */
        LOST,
        /** Renews the lease if it leads; must not acquire it. */
        RESIGNED,
        /** Ends. */
        CLOSED
    }

    /**
     * What an elector needs.
     *
     * @param name the name by which components refer to the lease
     * @param store stores the lease
     * @param options the options
     * @param identity the identity of this replica
     * @param environment what surrounds the elector
     * @since 0.1.0
     */
    public record Settings(
            String name, LeaseStore store, LeaderElectionOptions options, String identity, Environment environment) {}

    /**
     * What surrounds an elector.
     *
     * @param listener notified of changes of leadership
     * @param metrics where to report measurements
     * @param otherLeases returns how many other leases this replica holds; the elector lets other replicas acquire a free lease
     *     first so many times, so that leases spread over the replicas
     * @since 0.1.0
     */
    public record Environment(LeadershipListener listener, OperatorMetrics metrics, IntSupplier otherLeases) {}

    /** Create an elector. Nothing happens before {@link #start}. */
    public LeaderElector(Settings settings, TimeSource time) {
        this(settings, time, () -> ThreadLocalRandom.current().nextDouble());
    }

    LeaderElector(Settings settings, TimeSource time, DoubleSupplier random) {
        this.settings = settings;
        this.time = time;
        this.changes = new LogLimiter(Duration.ofMinutes(1), MAX_LINES, time);
        this.fence = new LeaseFence(time, settings.options().timing().renewDeadline());
        this.metrics = new Metrics(
                settings.options().leaseName(), settings.environment().metrics(), fence);
        this.election = new Election(
                settings.store(), settings.options(), settings.identity(), time, random, fence, new Observer());
    }

    /** Start to campaign. Further calls do nothing. */
    public void start() {
        lock.lock();
        try {
            if (thread == null && mode == Mode.ACTIVE) {
                Thread elector =
                        Threads.daemon("leader-elector-" + settings.options().leaseName(), this::run);
                elector.start();
                thread = elector;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Return the fence, to be asked immediately before each write. */
    public LeaseFence fence() {
        return fence;
    }

    /** Return the state of the lease as this replica sees it. */
    public LeaseStatus status() {
        return new LeaseStatus(
                settings.name(),
                settings.store().key(),
                holder,
                new LeaseStatus.Replica(settings.identity(), fence.remaining(), isAlive(), election.failure()));
    }

    private boolean isAlive() {
        lock.lock();
        try {
            return thread == null || thread.isAlive() || mode == Mode.RESIGNED || mode == Mode.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Stop campaigning: a leader continues to lead, a standby does not become leader after this method has returned. */
    public void resign() {
        lock.lock();
        try {
            if (mode == Mode.ACTIVE || mode == Mode.LOST) {
                mode = Mode.RESIGNED;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Campaign again after a loss. */
    public void rejoin() {
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
     * End, and wait for the thread, at most for the time of a few requests. Everything that ran under the lease must have ended
     * before the lease is released.
     *
     * @param mayRelease whether to release the lease if this replica holds it
     */
    public void close(boolean mayRelease) {
        Thread running;
        lock.lock();
        try {
            mode = Mode.CLOSED;
            release = mayRelease;
            changed.signalAll();
            running = thread;
            if (stepping && running != null) {
                running.interrupt();
            }
        } finally {
            lock.unlock();
        }
        fence.close();
        if (running != null && running != Thread.currentThread()) {
            Threads.join(running, settings.options().timing().requestTimeout().multipliedBy(REQUESTS_AT_CLOSE));
        }
        metrics.close();
    }

    private void run() {
        try {
            boolean more = true;
            while (more) {
                Election.Step step = step();
                apply(step);
                more = pause(step.pause());
            }
        } catch (InterruptedException e) {
            LOG.debug("The elector ended by an interrupt", e);
        } catch (Throwable e) {
            LOG.error("The elector of lease {} failed and will not campaign again", key(), Causes.loggable(e));
            apply(new Election.Step(Election.Step.Change.LOST, "the elector failed: " + e, Duration.ZERO));
        }
        Thread.interrupted(); // has ended the step; must not prevent the release
        if (mayRelease()) {
            election.release();
        }
    }

    private Election.Step step() {
        setStepping(true);
        try {
            return election.step();
        } finally {
            setStepping(false);
        }
    }

    private void setStepping(boolean now) {
        lock.lock();
        try {
            stepping = now && mode != Mode.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Takes over a change and notifies the listener. */
    private void apply(Election.Step step) {
        String newHolder = unreportedHolder;
        unreportedHolder = null;
        LeadershipListener listener = settings.environment().listener();
        if (newHolder != null) {
            notify(() -> listener.newLeader(settings.name(), newHolder));
        }
        if (step.change() == Election.Step.Change.ACQUIRED && becomeLeader()) {
            changes.log(
                    "acquired",
                    now -> LOG.info(
                            "This replica, {}, has acquired lease {}{}", settings.identity(), key(), now.suffix()));
            record(true);
            notify(() -> listener.elected(settings.name()));
        } else if (step.change() == Election.Step.Change.LOST && stopLeading()) {
            changes.log(
                    "lost",
                    now -> LOG.warn(
                            "This replica, {}, has lost lease {} (R4J-205): {}{}",
                            settings.identity(),
                            key(),
                            step.reason(),
                            now.suffix()));
            record(false);
            notify(() -> listener.lost(settings.name(), step.reason()));
        }
    }

    private void record(boolean leading) {
        FlightEvents.Lease event = FlightEvents.lease();
        if (event != null) {
            event.lease = key().toString();
            event.leading = leading;
            event.commit();
        }
    }

    private void notify(Runnable event) {
        try {
            event.run();
        } catch (Throwable e) {
            LOG.error("A leadership listener of lease {} failed", key(), Causes.loggable(e));
        }
    }

    private ObjectKey key() {
        return settings.store().key();
    }

    /** The lease was acquired; returns false if it is not wanted any more. */
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

    /** The lease was lost; returns whether this replica has led. */
    private boolean stopLeading() {
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

    /** Waits for the next step, after a loss until {@link #rejoin}; returns false to end. */
    private boolean pause(Duration pause) throws InterruptedException {
        long end = time.nanoTime() + pause.toNanos();
        lock.lockInterruptibly();
        try {
            for (long left = pause.toNanos();
                    (left > 0 || mode == Mode.LOST) && !isOver();
                    left = end - time.nanoTime()) {
                if (mode == Mode.LOST) {
                    time.await(changed);
                } else {
                    time.await(changed, left);
                }
            }
            return !isOver();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isOver() {
        return mode == Mode.CLOSED || (mode == Mode.RESIGNED && !leads);
    }

    private boolean mayRelease() {
        lock.lock();
        try {
            return release || mode == Mode.RESIGNED;
        } finally {
            lock.unlock();
        }
    }

    private final class Observer implements Election.Listener {
        @Override
        public void slowPath() {
            metrics.slowPath.increment();
        }

        @Override
        public void newHolder(String newHolder) {
            holder = newHolder;
            unreportedHolder = newHolder;
        }

        @Override
        public int otherLeases() {
            return settings.environment().otherLeases().getAsInt();
        }
    }

    /** The metrics of one lease: those of client-go, and one of this framework. */
    private static final class Metrics {
        private final OperatorMetrics.Registration status;
        private final OperatorMetrics.Registration remaining;
        private final OperatorMetrics.Counter slowPath;

        Metrics(String name, OperatorMetrics metrics, LeaseFence fence) {
            status = metrics.gauge(
                    "leader_election_master_status",
                    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates"
                            + " master. 'name' is the string used to identify the lease. Please make sure to group by name.",
                    () -> fence.isOpen() ? 1 : 0,
                    "name",
                    name);
            slowPath = metrics.counter(
                    "leader_election_slowpath_total",
                    "Total number of slow path exercised in renewing leader leases. 'name' is the string used to identify"
                            + " the lease. Please make sure to group by name.",
                    "name",
                    name);
            remaining = metrics.gauge(
                    "reconciler4j_lease_remaining_seconds",
                    "How long this replica may act as leader without renewing the lease, 0 if it may not.",
                    () -> fence.remaining().toNanos() / 1e9,
                    "name",
                    name);
        }

        void close() {
            status.close();
            remaining.close();
        }
    }
}
