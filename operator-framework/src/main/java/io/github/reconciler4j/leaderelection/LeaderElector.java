package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.leaderelection.ElectionStep.Change;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election on one lease, renews it while leading, and gives it back. Works on one daemon thread of its own.
 * After a loss it stands still until {@link #standAgain}, so that what ran under the lease can end first. Safe for use
 * by many threads.
 *
 * @since 0.1.0
 */
public final class LeaderElector {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    private final Settings settings;
    private final LeaseFence fence;
    private final LeaseMetrics metrics;
    private final Election election;
    private final ElectorState state;

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
     * @since 0.1.0
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
        this.state = new ElectorState(fence);
        this.metrics = new LeaseMetrics(settings.options().leaseName(), settings.metrics(), fence);
        this.election =
                new Election(settings.store(), settings.options(), settings.identity(), clock, fence, new Observer());
    }

    /** Stands for election from now on; further calls do nothing. */
    public void start() {
        Thread thread =
                new Thread(this::run, "leader-elector-" + settings.options().leaseName());
        thread.setDaemon(true);
        state.start(thread);
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
                holder,
                new LeaseStatus.Replica(settings.identity(), fence.remaining(), state.isAlive()));
    }

    /** Stands no more: a leader goes on leading, a standby does not become leader after this returns. */
    public void withdraw() {
        state.withdraw();
    }

    /** Stands for election again after a loss. */
    public void standAgain() {
        state.standAgain();
    }

    /**
     * Ends it and waits for its thread, at most the time of a few requests. What runs under the lease must have ended
     * before it is given back.
     *
     * @param giveBack whether to give the lease back if this replica holds it
     */
    public void close(boolean giveBack) {
        Thread running = state.close(giveBack);
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

    private void run() {
        try {
            boolean more = true;
            while (more) {
                ElectionStep step = step();
                take(step);
                more = state.pause(step.pause());
            }
        } catch (InterruptedException e) {
            LOG.debug("Ended by an interrupt", e);
        } catch (Throwable e) {
            LOG.error("The elector of lease {} broke", describe(), e);
            take(new ElectionStep(Change.LOST, "the elector broke: " + e, Duration.ZERO));
        }
        // An interrupt has done its work and must not keep the lease from being given back.
        Thread.interrupted();
        if (state.mayRelease()) {
            election.release();
        }
    }

    private ElectionStep step() {
        state.stepping(true);
        try {
            return election.step();
        } finally {
            state.stepping(false);
        }
    }

    /** Tells of a change. */
    private void take(ElectionStep step) {
        String newHolder = unreportedHolder;
        unreportedHolder = null;
        if (newHolder != null) {
            tell(() -> settings.listener().newLeader(settings.name(), newHolder));
        }
        if (step.change() == Change.LEADER_ELECTED && state.becomeLeader()) {
            LOG.info("This replica, {}, holds lease {} now", settings.identity(), describe());
            tell(() -> settings.listener().elected(settings.name()));
        } else if (step.change() == Change.LOST && state.ceaseToLead()) {
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

    private final class Observer implements ElectionListener {
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
