package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import java.util.List;

/** Who may run elected components; one implementation with leases, one without. Safe for use by many threads. */
interface Leadership {

    /** A component of this lease was added. */
    void require(String lease);

    /** Begins to stand for election. */
    void stand();

    /** Stands for election no more. */
    void withdraw();

    /** Ends; gives leases back if the work under them has ended. */
    void close(boolean mayRelease);

    /** Tells a listener of leadership from now on, and of leases held already. */
    void add(LeadershipListener listener);

    boolean isLeader(String lease);

    /** Lets writes of components under a lease pass while this replica may act as leader. */
    WriteGate gate(String lease);

    /** Lets writes of threads pass that belong to no component. */
    WriteGate unscopedGate();

    List<LeaseStatus> statuses();
}
