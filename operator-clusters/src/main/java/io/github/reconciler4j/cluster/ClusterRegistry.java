package io.github.reconciler4j.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.internal.UserCall;
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
 * <p>A cluster is removed from here before the manager disconnects it, so listeners are notified while its components still work.
 * Thread-safe.
 */
final class ClusterRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterRegistry.class);

    private final Consumer<Throwable> failures;
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Member> members = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final List<Registration> listeners = new ArrayList<>();

    /** A listener and who removes it. */
    private record Registration(Object owner, ClusterListener listener) {}

    /** A cluster and its introductions, which the lock guards. */
    private record Member(Cluster cluster, List<Introduction> introductions) {}

    private enum State {
        NEW,
        JOINING,
        JOINED,
        LEFT
    }

    /** Creates a registry that passes on what listeners throw. */
    ClusterRegistry(Consumer<Throwable> failures) {
        this.failures = failures;
    }

    /** Adds the listener of an owner, unless it is known, and notifies it of all clusters. */
    void add(Object owner, ClusterListener listener) {
        List<Introduction> added = new ArrayList<>();
        lock.lock();
        try {
            if (listeners.stream().noneMatch(known -> known.owner == owner)) {
                Registration registration = new Registration(owner, listener);
                listeners.add(registration);
                members.values().forEach(member -> added.add(introduce(member, registration)));
            }
        } finally {
            lock.unlock();
        }
        added.forEach(Introduction::join);
    }

    /** Forgets the listener of an owner. */
    void remove(Object owner) {
        lock.lock();
        try {
            listeners.removeIf(known -> known.owner == owner);
            members.values().forEach(member -> member.introductions.removeIf(known -> known.listener.owner == owner));
        } finally {
            lock.unlock();
        }
    }

    /** Adds a cluster, whose name no other has, and notifies all listeners. */
    void join(Cluster cluster) {
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
    private Introduction introduce(Member member, Registration listener) {
        Introduction introduction = new Introduction(listener, member.cluster);
        member.introductions.add(introduction);
        return introduction;
    }

    /** Removes a cluster and notifies all listeners; returns null if no cluster has the name. */
    @Nullable
    Cluster leave(String name) {
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

    /** Returns the cluster with a name. */
    Optional<Cluster> find(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(members.get(name)).map(Member::cluster);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the clusters in the order in which they joined. */
    List<Cluster> joined() {
        lock.lock();
        try {
            return members.values().stream().map(Member::cluster).toList();
        } finally {
            lock.unlock();
        }
    }

    /** What one listener knows of one cluster. */
    private final class Introduction {

        private final Registration listener;
        private final Cluster cluster;
        private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

        Introduction(Registration listener, Cluster cluster) {
            this.listener = listener;
            this.cluster = cluster;
        }

        void join() {
            if (state.compareAndSet(State.NEW, State.JOINING)) {
                notify("joined", listener.listener::joined);
                if (!state.compareAndSet(State.JOINING, State.JOINED)) {
                    notify("left", listener.listener::left);
                }
            }
        }

        void leave() {
            if (state.getAndSet(State.LEFT) == State.JOINED) {
                notify("left", listener.listener::left);
            }
        }

        private void notify(String event, Consumer<Cluster> call) {
            UserCall entered = UserCall.enter(
                    UserCall.Kind.CLUSTER_LISTENER, listener.listener.getClass().getName(), cluster.name());
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
