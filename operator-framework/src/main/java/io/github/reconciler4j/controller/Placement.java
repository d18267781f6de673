package io.github.reconciler4j.controller;

import io.github.reconciler4j.manager.StartGroup;

/**
 * On which replicas a controller works. Immutable.
 *
 * @param group when it starts: {@link StartGroup#LEADER_ELECTED} or {@link StartGroup#ALL_REPLICAS}
 * @param lease the lease whose holder runs it, {@code ""} for the manager's
 * @param warmUp whether its sources work on every replica, so that its queue is full when its turn comes (default
 *     false: a standby keeps the caches of the kinds, but no queue); of no effect where it works everywhere
 * @since 0.1.0
 */
public record Placement(StartGroup group, String lease, boolean warmUp) {

    /** Stands for a lease named as the controller; no Lease can have this name. */
    private static final String OWN = "{controller}";

    private static final Placement DEDICATED_LEASE = new Placement(StartGroup.LEADER_ELECTED, OWN, false);
    private static final Placement LEADER = new Placement(StartGroup.LEADER_ELECTED, "", false);
    private static final Placement ALL_REPLICAS = new Placement(StartGroup.ALL_REPLICAS, "", false);

    /** Checks that the group is one that controllers can be in. */
    public Placement {
        if (group != StartGroup.LEADER_ELECTED && group != StartGroup.ALL_REPLICAS) {
            throw new IllegalArgumentException("'group' must be LEADER_ELECTED or ALL_REPLICAS, was " + group);
        }
        if (group == StartGroup.ALL_REPLICAS && !lease.isEmpty()) {
            throw new IllegalArgumentException("'lease' must be empty for a controller that works everywhere");
        }
    }

    /** On the leader only; on the only replica if there is no leader election. */
    public static Placement leader() {
        return LEADER;
    }

    /** On the holder of a lease of this name, apart from the leader; controllers that name the same one stay together. */
    public static Placement leaseHolder(String lease) {
        return new Placement(StartGroup.LEADER_ELECTED, lease, false);
    }

    /**
     * On the holder of a lease that has the controller's name, so that controllers spread over the replicas. As a default
     * of many controllers it gives each a lease of its own; {@link Controller#options} then tells which.
     */
    public static Placement dedicatedLease() {
        return DEDICATED_LEASE;
    }

    /** On every replica. */
    public static Placement allReplicas() {
        return ALL_REPLICAS;
    }

    /** The same with or without warm-up. */
    public Placement withWarmUp(boolean warm) {
        return new Placement(group, lease, warm);
    }

    /** The same for a controller of this name, whose lease is known by it. */
    Placement of(String controller) {
        return lease.equals(OWN) ? leaseHolder(controller).withWarmUp(warmUp) : this;
    }
}
