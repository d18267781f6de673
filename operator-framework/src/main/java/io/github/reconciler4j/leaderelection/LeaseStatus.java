package io.github.reconciler4j.leaderelection;

import java.time.Duration;

/**
 * How a replica and a lease stand. Immutable.
 *
 * @param lease names the Lease, {@code namespace/name}
 * @param identity who this replica is
 * @param holder who was last seen holding it, {@code ""} if nobody was
 * @param leading whether this replica may act as leader now
 * @param remaining for how long, without another renewal; zero if it may not
 */
public record LeaseStatus(String lease, String identity, String holder, boolean leading, Duration remaining) {}
