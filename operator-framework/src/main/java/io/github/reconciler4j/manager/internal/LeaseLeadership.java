package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaderElector;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeadershipLostException;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.leaderelection.LeaseStore;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leader election with one elector per lease that components ask for. */
final class LeaseLeadership implements Leadership, LeadershipListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLeadership.class);

    private enum Phase {
        WAITING,
        STANDING,
        WITHDRAWN,
        CLOSED
    }

    private final Settings settings;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock; nothing is called with it held but electors, which call nobody back on the calling thread.
    private final Map<String, Candidacy> candidacies = new LinkedHashMap<>();
    private Phase phase = Phase.WAITING;

    /**
     * What it works with.
     *
     * @param options the options of the manager's lease; other leases have its name, a dash and their own
     * @param identity who this replica is
     * @param stores makes the store of a Lease of that name
     */
    record Settings(
            LeaderElectionOptions options,
            String identity,
            Function<String, LeaseStore> stores,
            OperatorMetrics metrics,
            Lifecycle lifecycle) {}

    /** One lease; the flag says whether it was lost and not won again. */
    private static final class Candidacy {
        final LeaderElector elector;
        volatile boolean lost;

        Candidacy(LeaderElector elector) {
            this.elector = elector;
        }
    }

    LeaseLeadership(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void require(String lease) {
        lock.lock();
        try {
            Candidacy candidacy = candidacyLocked(lease);
            if (phase == Phase.STANDING) {
                candidacy.elector.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private Candidacy candidacyLocked(String lease) {
        return candidacies.computeIfAbsent(lease, name -> new Candidacy(elector(name)));
    }

    private LeaderElector elector(String lease) {
        LeaderElectionOptions options = settings.options();
        String leaseName = lease.isEmpty() ? options.leaseName() : options.leaseName() + "-" + lease;
        return new LeaderElector(new LeaderElector.Settings(
                lease,
                settings.stores().apply(leaseName),
                options.withLeaseName(leaseName),
                settings.identity(),
                this,
                settings.metrics(),
                () -> othersHeld(lease)));
    }

    private int othersHeld(String lease) {
        lock.lock();
        try {
            return (int) candidacies.entrySet().stream()
                    .filter(entry -> !entry.getKey().equals(lease)
                            && entry.getValue().elector.fence().isOpen())
                    .count();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stand() {
        lock.lock();
        try {
            if (phase == Phase.WAITING) {
                phase = Phase.STANDING;
                if (candidacies.isEmpty()) {
                    candidacyLocked("");
                }
                candidacies.values().forEach(candidacy -> candidacy.elector.start());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void withdraw() {
        lock.lock();
        try {
            phase = Phase.WITHDRAWN;
            candidacies.values().forEach(candidacy -> candidacy.elector.withdraw());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close(boolean mayRelease) {
        List<Candidacy> closing;
        lock.lock();
        try {
            phase = Phase.CLOSED;
            closing = List.copyOf(candidacies.values());
        } finally {
            lock.unlock();
        }
        boolean release = mayRelease && settings.options().releaseOnStop();
        closing.forEach(candidacy -> candidacy.elector.close(release));
    }

    @Override
    public void elected(String lease) {
        candidacy(lease, candidacy -> candidacy.lost = false);
        settings.lifecycle().lead(lease);
        tell(listener -> listener.elected(lease));
    }

    @Override
    public void lost(String lease, String reason) {
        candidacy(lease, candidacy -> candidacy.lost = true);
        settings.lifecycle().withdraw(lease);
        tell(listener -> listener.lost(lease, reason));
        String what = "Lease " + describe(lease);
        if (settings.options().onLost() == OnLost.SHUTDOWN) {
            settings.lifecycle().fail(what, "was lost", new LeadershipLostException(reason));
        } else {
            Thread thread = new Thread(() -> standAgain(lease, what), "leader-elector-again-" + lease);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void standAgain(String lease, String what) {
        try {
            if (settings.lifecycle().awaitWithdrawn(lease)) {
                candidacy(lease, candidacy -> candidacy.elector.standAgain());
            } else {
                settings.lifecycle()
                        .fail(what, "was lost", new LeadershipLostException("what ran under it does not end"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void newLeader(String lease, String identity) {
        LOG.info("Lease {} is held by {}", describe(lease), identity);
        tell(listener -> listener.newLeader(lease, identity));
    }

    private String describe(String lease) {
        Candidacy candidacy = find(lease);
        return candidacy == null ? lease : candidacy.elector.status().key().toString();
    }

    private void tell(Consumer<LeadershipListener> event) {
        for (LeadershipListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.error("A leadership listener failed", e);
            }
        }
    }

    private void candidacy(String lease, Consumer<Candidacy> action) {
        Candidacy candidacy = find(lease);
        if (candidacy != null) {
            action.accept(candidacy);
        }
    }

    private @Nullable Candidacy find(String lease) {
        lock.lock();
        try {
            return candidacies.get(lease);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void add(LeadershipListener listener) {
        listeners.add(listener);
        leasesHeld().forEach(listener::elected);
    }

    private List<String> leasesHeld() {
        lock.lock();
        try {
            return candidacies.entrySet().stream()
                    .filter(entry -> entry.getValue().elector.fence().isOpen())
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isLeader(String lease) {
        Candidacy candidacy = find(lease);
        return candidacy != null && candidacy.elector.fence().isOpen();
    }

    @Override
    public WriteGate gate(String lease) {
        require(lease);
        Candidacy candidacy = find(lease);
        return () -> {
            if (candidacy == null || !candidacy.elector.fence().isOpen()) {
                throw new WriteRefusedException(
                        "This replica does not hold lease " + describe(lease) + " (any more), so it must not write");
            }
        };
    }

    @Override
    public WriteGate unscopedGate() {
        return () -> {
            Candidacy candidacy = find("");
            if (candidacy != null
                    && (candidacy.lost || candidacy.elector.fence().hasExpired())) {
                throw new WriteRefusedException("This replica has lost lease " + describe("")
                        + ", and the calling thread belongs to no component that works on every replica, so it must"
                        + " not write");
            }
        };
    }

    @Override
    public List<LeaseStatus> statuses() {
        lock.lock();
        try {
            return candidacies.values().stream()
                    .map(candidacy -> candidacy.elector.status())
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
