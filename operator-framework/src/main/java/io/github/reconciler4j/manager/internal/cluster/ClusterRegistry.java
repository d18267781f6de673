package io.github.reconciler4j.manager.internal.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ClusterListener;
import io.github.reconciler4j.manager.internal.DefaultManager;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.UserCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clusters of a manager besides its own, and the listeners that are notified of them.
 *
 * <h2>Concurrency</h2>
 *
 * One lock guards which clusters and which listeners there are. For each pair of both there is one {@link Introduction}, which is
 * created under the lock when the second one of the pair is added. So no pair is missed and none exists twice.
 *
 * <p>Listeners are called without the lock. The order of the two calls for one pair follows from the state of its introduction,
 * which changes atomically:
 *
 * <pre>
 * NEW ---> JOINING ---> JOINED ---> LEFT     left() is called by the thread that removes the cluster
 *  |          +----------------------^       left() is called by the thread that is in joined(), when that returns
 *  +---------------------------------^       neither is called
 * </pre>
 *
 * So no thread waits for a listener, and a listener may add and remove clusters and listeners.
 *
 * <p>A cluster is removed from here before its components are. {@link DefaultManager} adds a component for a cluster, then asks
 * whether the cluster is still here, and removes the component if it is not. So a component is either seen by the removal of the
 * cluster or rejected. Thread-safe.
 */
public final class ClusterRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterRegistry.class);

    private final ClusterComponent home;
    private final Consumer<Throwable> failures;
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Member> members = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final List<ClusterListener> listeners = new ArrayList<>();

    /** A cluster and its introductions, which the lock guards. */
    private record Member(ClusterComponent cluster, List<Introduction> introductions) {}

    private enum State {
        NEW,
        JOINING,
        JOINED,
        LEFT
    }

    /** Creates a registry that passes on what listeners throw. */
    public ClusterRegistry(ClusterComponent home, Consumer<Throwable> failures) {
        this.home = home;
        this.failures = failures;
    }

    /** Adds a listener and notifies it of all clusters. */
    public void add(ClusterListener listener) {
        List<Introduction> added = new ArrayList<>();
        lock.lock();
        try {
            listeners.add(listener);
            members.values().forEach(member -> added.add(introduce(member, listener)));
        } finally {
            lock.unlock();
        }
        added.forEach(Introduction::join);
    }

    /** Forgets a listener. */
    public void remove(ClusterListener listener) {
        lock.lock();
        try {
            listeners.removeIf(known -> known == listener);
            members.values().forEach(member -> member.introductions.removeIf(known -> known.listener == listener));
        } finally {
            lock.unlock();
        }
    }

    /** Adds a cluster, whose name no other has, and notifies all listeners. */
    public void join(ClusterComponent cluster) {
        List<Introduction> added = new ArrayList<>();
        lock.lock();
        try {
            Member member = new Member(cluster, new ArrayList<>());
            members.put(cluster.name(), member);
            listeners.forEach(listener -> added.add(introduce(member, listener)));
        } finally {
            lock.unlock();
        }
        added.forEach(Introduction::join);
    }

    @GuardedBy("lock")
    private Introduction introduce(Member member, ClusterListener listener) {
        Introduction introduction = new Introduction(listener, member.cluster);
        member.introductions.add(introduction);
        return introduction;
    }

    /** Removes a cluster and notifies all listeners; returns null if no cluster has the name. */
    @Nullable
    public ClusterComponent leave(String name) {
        Member member;
        List<Introduction> introductions;
        lock.lock();
        try {
            member = members.remove(name);
            introductions = member == null ? List.of() : List.copyOf(member.introductions);
        } finally {
            lock.unlock();
        }
        introductions.forEach(Introduction::leave);
        return member == null ? null : member.cluster;
    }

    /** Returns the cluster with a name, {@code ""} for the manager's own. */
    public Optional<ClusterComponent> find(String name) {
        if (name.isEmpty()) {
            return Optional.of(home);
        }
        lock.lock();
        try {
            return Optional.ofNullable(members.get(name)).map(Member::cluster);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the clusters in the order in which they joined. */
    public List<Cluster> joined() {
        lock.lock();
        try {
            return members.values().stream().<Cluster>map(Member::cluster).toList();
        } finally {
            lock.unlock();
        }
    }

    /** What one listener knows of one cluster. */
    private final class Introduction {

        private final ClusterListener listener;
        private final Cluster cluster;
        private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

        Introduction(ClusterListener listener, Cluster cluster) {
            this.listener = listener;
            this.cluster = cluster;
        }

        void join() {
            if (state.compareAndSet(State.NEW, State.JOINING)) {
                notify("joined", listener::joined);
                if (!state.compareAndSet(State.JOINING, State.JOINED)) {
                    notify("left", listener::left);
                }
            }
        }

        void leave() {
            if (state.getAndSet(State.LEFT) == State.JOINED) {
                notify("left", listener::left);
            }
        }

        private void notify(String event, Consumer<Cluster> call) {
            UserCall entered = UserCall.enter(
                    UserCall.Kind.CLUSTER_LISTENER, listener.getClass().getName(), cluster.name());
            try {
                call.accept(cluster);
            } catch (Throwable e) {
                failures.accept(e);
                warnings.log(
                        LogLimiter.cause(e),
                        occurrence -> LOG.error(
                                "A listener failed when cluster {} {}{}",
                                cluster.name(),
                                event,
                                occurrence.suffix(),
                                Causes.loggable(e)));
            } finally {
                entered.exit();
            }
        }
    }
}
