package io.github.reconciler4j.controller;

import io.github.reconciler4j.manager.StartGroup;

/**
 * On which replicas a controller works. Immutable.
 *
 * @param group when it starts: {@link StartGroup#ELECTED} or {@link StartGroup#EVERYWHERE}
 * @param lease the lease whose holder runs it, {@code ""} for the manager's
 */
public record Placement(StartGroup group, String lease) {

    private static final Placement LEADER = new Placement(StartGroup.ELECTED, "");
    private static final Placement EVERY_REPLICA = new Placement(StartGroup.EVERYWHERE, "");

    /** Checks that the group is one that controllers can be in. */
    public Placement {
        if (group != StartGroup.ELECTED && group != StartGroup.EVERYWHERE) {
            throw new IllegalArgumentException("'group' must be ELECTED or EVERYWHERE, was " + group);
        }
        if (group == StartGroup.EVERYWHERE && !lease.isEmpty()) {
            throw new IllegalArgumentException("'lease' must be empty for a controller that works everywhere");
        }
    }

    /** On the leader only; on the only replica if there is no leader election. */
    public static Placement leader() {
        return LEADER;
    }

    /** On the holder of a lease of this controller's own, so that controllers spread over the replicas. */
    public static Placement holderOf(String lease) {
        return new Placement(StartGroup.ELECTED, lease);
    }

    /** On every replica. */
    public static Placement everyReplica() {
        return EVERY_REPLICA;
    }
}
