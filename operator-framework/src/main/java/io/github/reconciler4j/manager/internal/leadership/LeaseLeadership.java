package io.github.reconciler4j.manager.internal.leadership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeadershipLostException;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.leaderelection.internal.ApiLeaseStore;
import io.github.reconciler4j.leaderelection.internal.LeaderElector;
import io.github.reconciler4j.leaderelection.internal.LeaseStore;
import io.github.reconciler4j.leaderelection.internal.ReplicaNames;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.internal.lifecycle.Failure;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
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

/**
 * Leadership with one {@link LeaderElector} for each lease that components ask for. The lock guards the candidacies. Electors
 * are called while it is held: they call no listener on the calling thread. Listeners and the lifecycle are not.
 */
public final class LeaseLeadership implements Leadership, LeadershipListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLeadership.class);

    private final LeaderElectionOptions options;
    private final String identity;
    private final Function<String, LeaseStore> stores;
    private final OperatorMetrics metrics;
    private final TimeSource time;
    private final Lifecycle lifecycle;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final Notifier notifier = new Notifier();
    private final LogLimiter holders;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Candidacy> candidacies = new LinkedHashMap<>();

    @GuardedBy("lock")
    private Phase phase = Phase.WAITING;

    private enum Phase {
        WAITING,
        CAMPAIGNING,
        RESIGNED,
        CLOSED
    }

    /** One lease. */
    private static final class Candidacy {
        final LeaderElector elector;

        /** Whether the lease was lost and not acquired again. */
        volatile boolean lost;

        Candidacy(LeaderElector elector) {
            this.elector = elector;
        }

        boolean holds() {
            return elector.fence().isOpen();
        }
    }

    /**
     * Creates it.
     *
     * @param options the options of the lease of the manager; other leases have its name, a dash and their own
     * @param stores creates the store for the name of a Lease
     */
    private LeaseLeadership(
            LeaderElectionOptions options,
            String identity,
            Function<String, LeaseStore> stores,
            OperatorMetrics metrics,
            TimeSource time,
            Lifecycle lifecycle) {
        this.options = options;
        this.identity = identity;
        this.stores = stores;
        this.metrics = metrics;
        this.time = time;
        this.lifecycle = lifecycle;
        this.holders = new LogLimiter(Duration.ofMinutes(1), LeaderElector.MAX_LINES, time);
    }

    public static LeaseLeadership create(
            ApiConnection connection, ManagerOptions options, String identity, Lifecycle lifecycle) {
        LeaderElectionOptions election = options.leaderElection().orElseThrow();
        String namespace = namespace(election, ReplicaNames.POD_NAMESPACE);
        return new LeaseLeadership(
                election,
                identity,
                name -> new ApiLeaseStore(connection, ObjectKey.of(namespace, name), election.labels()),
                options.metrics(),
                options.timeSource(),
                lifecycle);
    }

    /** The identity of the options; otherwise the host name, an underscore and a random UUID. */
    public static String identity(ManagerOptions options) {
        return ReplicaNames.identity(
                options.leaderElection().map(LeaderElectionOptions::identity).orElse(""));
    }

    /** The namespace of the options, otherwise of the pod. */
    public static String namespace(LeaderElectionOptions options, Path podNamespace) {
        return ReplicaNames.namespace(
                options.leaseNamespace(),
                "Leader election needs a namespace for Lease '" + options.leaseName() + "'",
                podNamespace);
    }

    @Override
    public void require(String lease) {
        lock.lock();
        try {
            Candidacy candidacy = candidacyFor(lease);
            if (phase == Phase.CAMPAIGNING) {
                candidacy.elector.start();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Candidacy candidacyFor(String lease) {
        Candidacy known = candidacies.get(lease);
        if (known != null) {
            return known;
        }
        String leaseName = lease.isEmpty() ? options.leaseName() : options.leaseName() + "-" + lease;
        LeaderElector.Settings settings = new LeaderElector.Settings(
                lease,
                stores.apply(leaseName),
                options.withLeaseName(leaseName),
                identity,
                new LeaderElector.Environment(this, metrics, () -> otherLeases(lease)));
        Candidacy candidacy = new Candidacy(new LeaderElector(settings, time));
        candidacies.put(lease, candidacy);
        return candidacy;
    }

    private int otherLeases(String lease) {
        lock.lock();
        try {
            return (int) candidacies.entrySet().stream()
                    .filter(entry ->
                            !entry.getKey().equals(lease) && entry.getValue().holds())
                    .count();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void campaign() {
        lock.lock();
        try {
            if (phase == Phase.WAITING) {
                phase = Phase.CAMPAIGNING;
                if (candidacies.isEmpty()) {
                    candidacyFor("");
                }
                candidacies.values().forEach(candidacy -> candidacy.elector.start());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resign() {
        lock.lock();
        try {
            phase = Phase.RESIGNED;
            candidacies.values().forEach(candidacy -> candidacy.elector.resign());
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
        closing.forEach(candidacy -> candidacy.elector.close(mayRelease && options.releaseOnStop()));
    }

    @Override
    public void elected(String lease) {
        find(lease, candidacy -> candidacy.lost = false);
        lifecycle.lead(lease);
        notify(listener -> listener.elected(lease));
    }

    @Override
    public void lost(String lease, String reason) {
        find(lease, candidacy -> candidacy.lost = true);
        lifecycle.withdraw(lease);
        notify(listener -> listener.lost(lease, reason));
        String subject = "Lease " + describe(lease);
        if (options.onLost() == OnLost.SHUTDOWN) {
            lifecycle.fail(new Failure(subject, "was lost", new LeadershipLostException(reason)));
            return;
        }
        try {
            Threads.daemon("leader-elector-rejoin-" + lease, () -> rejoin(lease, subject), e -> failed(subject, e))
                    .start();
        } catch (Throwable e) { // the JVM could not create a thread
            failed(subject, e);
        }
    }

    private void failed(String subject, Throwable failure) {
        lifecycle.fail(new Failure(subject, "was lost, and this replica cannot campaign again", failure));
    }

    private void rejoin(String lease, String subject) {
        try {
            if (lifecycle.awaitWithdrawn(lease)) {
                find(lease, candidacy -> candidacy.elector.rejoin());
            } else {
                lifecycle.fail(new Failure(
                        subject, "was lost", new LeadershipLostException("a component under it does not end")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failed(subject, e);
        }
    }

    @Override
    public void newLeader(String lease, String holder) {
        String key = describe(lease);
        holders.log(key, now -> LOG.info("Lease {} is held by {}{}", key, Texts.inOneLine(holder), now.suffix()));
        notify(listener -> listener.newLeader(lease, holder));
    }

    private String describe(String lease) {
        Candidacy candidacy = find(lease);
        return candidacy == null ? lease : candidacy.elector.status().key().toString();
    }

    private void notify(Consumer<LeadershipListener> event) {
        listeners.forEach(listener -> notifier.notify(listener, event));
    }

    @Override
    public Notifier notifier() {
        return notifier;
    }

    private void find(String lease, Consumer<Candidacy> action) {
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
        leasesHeld().forEach(lease -> notifier.notify(listener, each -> each.elected(lease)));
    }

    private List<String> leasesHeld() {
        lock.lock();
        try {
            return candidacies.entrySet().stream()
                    .filter(entry -> entry.getValue().holds())
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isLeader(String lease) {
        Candidacy candidacy = find(lease);
        return candidacy != null && candidacy.holds();
    }

    @Override
    public WriteGate gate(String lease) {
        require(lease);
        Candidacy candidacy = find(lease);
        return () -> {
            if (candidacy == null || !candidacy.holds()) {
                throw new WriteRefusedException("Write rejected: this replica does not hold lease " + describe(lease));
            }
        };
    }

    @Override
    public WriteGate unscopedGate() {
        return () -> {
            Candidacy candidacy = find("");
            if (candidacy != null
                    && (candidacy.lost || candidacy.elector.fence().hasExpired())) {
                throw new WriteRefusedException("Write rejected: lease " + describe("")
                        + " was lost, and the calling thread is not bound to a component that runs on all replicas");
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
