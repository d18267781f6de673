package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.metrics.OperatorMetrics;

/** What is measured of one lease; client-go's names, and one of our own. */
final class LeaseMetrics implements AutoCloseable {

    private final OperatorMetrics.Registration status;
    private final OperatorMetrics.Registration remaining;
    private final OperatorMetrics.Counter slowPath;

    LeaseMetrics(String name, OperatorMetrics metrics, LeaseFence fence) {
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
                "How long this replica may still act as leader without renewing the lease, 0 if it may not.",
                () -> fence.remaining().toNanos() / 1e9,
                "name",
                name);
    }

    void slowPath() {
        slowPath.increment();
    }

    @Override
    public void close() {
        status.close();
        remaining.close();
    }
}
