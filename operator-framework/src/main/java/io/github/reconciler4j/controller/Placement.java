package io.github.reconciler4j.controller;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of an operator that a controller runs on. Immutable, with value equality.
 *
 * <!-- snippet: TunedControllers -->
 * <pre>{@code
 * return ControllerBuilder.of(Greeting.class)
 *         .customizeOptions(options -> options.withNamespaceShare(0.5)
 *                 .withPlacement(Placement.leader().withWarmUp(true)))
 *         .reconciler((greeting, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Placement {

    /** Stands for a lease with the name of the controller; no Lease can have this name. */
    private static final String OWN = "{controller}";

    private static final Placement DEDICATED_LEASE = new Placement(StartGroup.LEADER_ELECTED, OWN, false);
    private static final Placement LEADER = new Placement(StartGroup.LEADER_ELECTED, "", false);
    private static final Placement ALL_REPLICAS = new Placement(StartGroup.ALL_REPLICAS, "", false);

    private final StartGroup group;
    private final String lease;
    private final boolean warmUp;

    private Placement(StartGroup group, String lease, boolean warmUp) {
        this.group = group;
        this.lease = lease;
        this.warmUp = warmUp;
    }

    /** Return the placement on the leader; on the only replica without leader election. */
    public static Placement leader() {
        return LEADER;
    }

    /**
     * Return the placement on the holder of a lease, which can be another replica than the leader. Controllers with the
     * same lease run on the same replica.
     *
     * @param lease the name of the lease; not blank
     * @throws IllegalArgumentException if the name is blank
     */
    public static Placement leaseHolder(String lease) {
        if (lease.isBlank()) {
            throw new IllegalArgumentException("'lease' must not be blank");
        }
        return new Placement(StartGroup.LEADER_ELECTED, lease, false);
    }

    /**
     * Return the placement on the holder of a lease that has the name of the controller, so that controllers spread over
     * the replicas. {@link Controller#options} then has the name of the lease.
     */
    public static Placement dedicatedLease() {
        return DEDICATED_LEASE;
    }

    /** Return the placement on every replica. */
    public static Placement allReplicas() {
        return ALL_REPLICAS;
    }

    /** Return {@link StartGroup#LEADER_ELECTED} or {@link StartGroup#ALL_REPLICAS}. */
    public StartGroup group() {
        return group;
    }

    /** Return the name of the lease whose holder runs the controller; {@code ""} for the lease of the manager. */
    public String lease() {
        return lease;
    }

    /**
     * Return whether the sources run on every replica, so that the queue is full when the controller starts (default false:
     * a standby has the caches of the kinds, but no queue). Has no effect on a controller that runs on every replica.
     */
    public boolean warmUp() {
        return warmUp;
    }

    /** Return a copy of this placement with or without warm-up. */
    public Placement withWarmUp(boolean warm) {
        return new Placement(group, lease, warm);
    }

    /** Return this placement for a controller, whose name replaces that of a dedicated lease. */
    Placement of(String controller) {
        return lease.equals(OWN) ? leaseHolder(controller).withWarmUp(warmUp) : this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Placement placement
                && group == placement.group
                && lease.equals(placement.lease)
                && warmUp == placement.warmUp;
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, lease, warmUp);
    }

    @Override
    public String toString() {
        return group + (lease.isEmpty() ? "" : " of lease " + lease) + (warmUp ? " with warm-up" : "");
    }

    /** Warms a controller up on every replica. */
    record WarmUp(String controller, Start warmUp, Runnable end) implements ManagedComponent {

        /** Starts the sources. */
        @FunctionalInterface
        interface Start {
            void start() throws InterruptedException;
        }

        @Override
        public String name() {
            return controller + "-warm-up";
        }

        @Override
        public StartGroup group() {
            return StartGroup.ALL_REPLICAS;
        }

        @Override
        public void start() throws InterruptedException {
            warmUp.start();
        }

        @Override
        public void stop(Duration grace) {
            end.run();
        }
    }
}
