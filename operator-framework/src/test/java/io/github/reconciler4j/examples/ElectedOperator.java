package io.github.reconciler4j.examples;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.ManagerOptions;

/** The options of a manager that runs its controllers only while it holds a Lease. */
final class ElectedOperator {

    private ElectedOperator() {}

    static ManagerOptions options() {
        return ManagerOptions.defaults().withLeaderElection(LeaderElectionOptions.named("my-operator"));
    }
}
