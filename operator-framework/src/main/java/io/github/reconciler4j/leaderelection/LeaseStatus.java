package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;

/**
 * How a replica and a lease stand. Immutable.
 *
 * @param name the lease as components name it, {@code ""} for the manager's
 * @param key the Lease object
 * @param identity who this replica is
 * @param holder who was last seen holding it, {@code ""} if nobody was
 * @param leading whether this replica may act as leader now
 * @param remaining for how long, without another renewal; zero if it may not
 * @param electorAlive whether somebody stands for election or renews, or has been told to end
 * @since 0.1.0
 */
public record LeaseStatus(
        String name,
        ObjectKey key,
        String identity,
        String holder,
        boolean leading,
        Duration remaining,
        boolean electorAlive) {}
