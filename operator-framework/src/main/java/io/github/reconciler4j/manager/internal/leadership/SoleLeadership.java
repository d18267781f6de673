package io.github.reconciler4j.manager.internal.leadership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Leadership without leader election: this replica leads from start to stop. */
public final class SoleLeadership implements Leadership {

    private final Lifecycle lifecycle;
    private final Notifier notifier = new Notifier();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<LeadershipListener> listeners = new ArrayList<>();

    @GuardedBy("lock")
    private final Set<String> required = new HashSet<>();

    @GuardedBy("lock")
    private boolean leads;

    public SoleLeadership(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    public void require(String lease) {
        boolean starts;
        lock.lock();
        try {
            starts = required.add(lease) && leads;
        } finally {
            lock.unlock();
        }
        if (starts) {
            lifecycle.lead(lease);
        }
    }

    @Override
    public void campaign() {
        Set<String> leases;
        List<LeadershipListener> notified;
        lock.lock();
        try {
            leads = true;
            leases = Set.copyOf(required);
            notified = List.copyOf(listeners);
        } finally {
            lock.unlock();
        }
        leases.forEach(lifecycle::lead);
        notified.forEach(this::notify);
    }

    private void notify(LeadershipListener listener) {
        notifier.notify(listener, each -> each.elected(""));
    }

    @Override
    public Notifier notifier() {
        return notifier;
    }

    @Override
    public void resign() {
        // There is nothing to campaign for.
    }

    @Override
    public void close(boolean mayRelease) {
        lock.lock();
        try {
            leads = false;
        } finally {
            lock.unlock();
        }
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
        notify(listener);
    }

    @Override
    public boolean isLeader(String lease) {
        lock.lock();
        try {
            return leads;
        } finally {
            lock.unlock();
        }
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
