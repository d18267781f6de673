package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;

/**
 * The state of a lease as this replica sees it. Immutable.
 *
 * @param name the name by which components refer to the lease, {@code ""} for the lease of the manager
 * @param key the Lease object
 * @param holder the last known holder, {@code ""} if none is known
 * @param replica the state of this replica
 * @since 0.1.0
 */
public record LeaseStatus(String name, ObjectKey key, String holder, Replica replica) {

    /**
     * The state of this replica with regard to the lease. Immutable.
     *
     * @param identity the identity of this replica
     * @param remaining how long this replica may act as leader without another renewal, zero if it does not lead
     * @param alive whether the thread that campaigns or renews is running, or was asked to end
     * @param failure what has gone wrong with requests for the lease three times or more, {@code ""} if nothing has or it was a while ago
     * @since 0.1.0
     */
    public record Replica(String identity, Duration remaining, boolean alive, String failure) {}

    /** Return the identity of this replica. */
    public String identity() {
        return replica.identity();
    }

    /** Return what has gone wrong with requests for the lease three times or more, {@code ""} if nothing has or it was a while ago. */
    public String failure() {
        return replica.failure();
    }

    /** Return whether this replica may act as leader now. */
    public boolean leading() {
        return !replica.remaining().isZero();
    }
}
