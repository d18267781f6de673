package io.github.reconciler4j.manager;

import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import java.util.List;
import java.util.function.Consumer;

/** Decides whether this replica may run elected components: with leases, or always. Thread-safe. */
interface Leadership {

    /** A component under this lease was added. */
    void require(String lease);

    /** Start to campaign. */
    void campaign();

    /** Stop campaigning; a leader continues to lead. */
    void resign();

    /** End, and release the leases if allowed. */
    void close(boolean mayRelease);

    /** Notify a listener of changes, and immediately of leases that are held. */
    void add(LeadershipListener listener);

    /** Report what listeners throw. */
    void onListenerFailure(Consumer<Throwable> receiver);

    boolean isLeader(String lease);

    /** Return the gate for writes of components under a lease. */
    WriteGate gate(String lease);

    /** Return the gate for writes of threads that belong to no component. */
    WriteGate unscopedGate();

    List<LeaseStatus> statuses();
}
