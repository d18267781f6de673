package io.github.reconciler4j.manager.internal;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.Manager;

/** Records an event about the Lease when this replica begins or ceases to lead, as Kubernetes' own components do. */
final class LeaderEvents implements LeadershipListener {

    private final Manager manager;

    LeaderEvents(Manager manager) {
        this.manager = manager;
    }

    @Override
    public void elected(String lease) {
        record(lease, "BecomeLeader", "became leader");
    }

    @Override
    public void lost(String lease, String reason) {
        record(lease, "StopLeading", "stopped leading");
    }

    private void record(String lease, String action, String what) {
        for (LeaseStatus status : manager.status().leases()) {
            if (status.name().equals(lease)) {
                manager.recorder("reconciler4j.io/leader-election")
                        .normal(object(status), "LeaderElection", action, status.identity() + " " + what);
            }
        }
    }

    private static Lease object(LeaseStatus status) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(status.key().namespace())
                .withName(status.key().name())
                .endMetadata()
                .build();
    }
}
