package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Without leader election: this replica leads from start to stop. */
final class SoleLeadership implements Leadership {

    private static final Logger LOG = LoggerFactory.getLogger(SoleLeadership.class);

    private final Lifecycle lifecycle;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock; leads may be read without it.
    private final Set<String> required = new HashSet<>();
    private volatile boolean leads;

    SoleLeadership(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    public void require(String lease) {
        boolean known;
        lock.lock();
        try {
            known = !required.add(lease);
        } finally {
            lock.unlock();
        }
        if (leads && !known) {
            lifecycle.lead(lease);
        }
    }

    @Override
    public void stand() {
        Set<String> leases;
        lock.lock();
        try {
            leads = true;
            leases = Set.copyOf(required);
        } finally {
            lock.unlock();
        }
        leases.forEach(lifecycle::lead);
        listeners.forEach(SoleLeadership::tell);
    }

    private static void tell(LeadershipListener listener) {
        try {
            listener.elected("");
        } catch (RuntimeException e) {
            LOG.error("A leadership listener failed", e);
        }
    }

    @Override
    public void withdraw() {}

    @Override
    public void close(boolean mayRelease) {
        leads = false;
    }

    @Override
    public void add(LeadershipListener listener) {
        lock.lock();
        try {
            listeners.add(listener);
            if (!leads) {
                return;
            }
        } finally {
            lock.unlock();
        }
        tell(listener);
    }

    @Override
    public boolean isLeader(String lease) {
        return leads;
    }

    @Override
    public WriteGate gate(String lease) {
        return WriteGate.OPEN;
    }

    @Override
    public WriteGate unscopedGate() {
        return WriteGate.OPEN;
    }

    @Override
    public List<LeaseStatus> statuses() {
        return List.of();
    }
}
