package io.github.reconciler4j.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cluster.ClusterProvider.Definition;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.Causes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the clusters of one provider join and leave a manager. A request is the name of a cluster, so the work queue does not let two
 * changes of one cluster run at the same time.
 *
 * <h2>Clusters that are divided among replicas</h2>
 *
 * With sharding, a cluster belongs to a shard: a hash of its name, modulo the number of shards ({@link Clusters#shard}). The
 * provider runs on every replica, so each knows all names. It connects to the clusters of the shards that it holds only:
 *
 * <ol>
 *   <li>A shard arrives ({@link #start}): the names of the shard are enqueued, and their clusters join with
 *       {@link Clusters#add(String, io.fabric8.kubernetes.client.Config, int)}. Their caches and controllers start. A
 *       reconciliation of such a controller has the write scope of the shard, in which all of its writes are fenced.
 *   <li>A shard leaves ({@link #stop}): the manager stops to dequeue requests of these controllers, and their reconciliations have the
 *       drain timeout to finish. At the same time, the names are enqueued and the clusters leave. Controllers, caches, connections
 *       and listeners end. Only then does the replica release the shard, so the next one finds nothing of this one at work.
 *   <li>A shard is lost: the same, but reconciliations are interrupted, and the fence has closed before. Nothing waits for them.
 *   <li>A shard comes back before its clusters have left: they leave and join again, because their controllers have dropped requests.
 *       So each stay of a cluster is in one term of its shard, known by the write scope of the term.
 * </ol>
 *
 * <p>No Lease is written for a cluster: what the shards cost depends on the number of replicas only.
 *
 * <h2>Locks</h2>
 *
 * <p>{@code lock} guards which names, shards and clusters there are. It is not held during calls of the manager and the provider. A
 * cluster is present from before it joins until after it has left, and is entered only while its shard is held. So if no cluster of a
 * shard is present after it was given away, none will be.
 */
final class ClusterMembership implements RequestReconciler<String> {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterMembership.class);

    private final Clusters clusters;
    private final ClusterProvider provider;

    /** Enqueues a name; returns false if the controller does not run. */
    private volatile Predicate<String> requeue = name -> false;

    /** The clusters of this provider that have joined. Each is changed by the reconciliation of its name alone. */
    private final Map<String, JoinedCluster> joined = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** All names of clusters that exist. */
    @GuardedBy("lock")
    private final Set<String> known = new HashSet<>();

    /** The held shards with the scopes of their terms. */
    @GuardedBy("lock")
    private final Map<Integer, WriteScope> held = new HashMap<>();

    /** The divided clusters that have joined, or are joining or leaving, with their shards. */
    @GuardedBy("lock")
    private final Map<String, Integer> present = new HashMap<>();

    /** Completed when no cluster of a shard is present any more. */
    @GuardedBy("lock")
    private final Map<Integer, CompletableFuture<Void>> leaving = new HashMap<>();

    /** A cluster, the version of its definition, and the term of its shard; null if it is not divided. */
    private record JoinedCluster(
            Cluster cluster, Object version, @Nullable WriteScope term) {}

    ClusterMembership(Manager manager, ClusterProvider provider) {
        this.clusters = Clusters.of(manager);
        this.provider = provider;
    }

    void setRequeue(Predicate<String> newRequeue) {
        requeue = newRequeue;
    }

    @Override
    public Result reconcile(String name, ReconcileContext context) throws Exception {
        OptionalInt shard = clusters.shard(name);
        WriteScope term = know(name, shard);
        JoinedCluster before = joined.get(name);
        if (before != null && before.term() != term) {
            leave(name, before);
        }
        if (shard.isPresent() && term == null) {
            forgetUnlessDefined(name);
            return Result.done();
        }
        Optional<Definition> wanted = provider.find(name);
        if (wanted.isEmpty()) {
            forget(name);
        }
        JoinedCluster now = joined.get(name);
        if (now != null
                && wanted.filter(each -> each.version().equals(now.version())).isEmpty()) {
            leave(name, now);
        }
        if (wanted.isPresent() && !joined.containsKey(name)) {
            join(name, wanted.get(), shard, term);
        }
        return Result.done();
    }

    /** Takes note of a name; returns the present term of its shard, null if the shard is not held. */
    private @Nullable WriteScope know(String name, OptionalInt shard) {
        lock.lock();
        try {
            known.add(name);
            return shard.isPresent() ? held.get(shard.getAsInt()) : null;
        } finally {
            lock.unlock();
        }
    }

    private void forget(String name) {
        lock.lock();
        try {
            known.remove(name);
        } finally {
            lock.unlock();
        }
    }

    /** The replica that holds the shard reports a definition that is not valid. */
    private void forgetUnlessDefined(String name) throws InterruptedException {
        try {
            if (provider.find(name).isEmpty()) {
                forget(name);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LOG.debug("Cluster {} of {} cannot be read", name, provider.name(), Causes.loggable(e));
        }
    }

    private void join(String name, Definition definition, OptionalInt shard, @Nullable WriteScope term) {
        if (shard.isPresent() && !enter(name, shard.getAsInt(), term)) {
            return; // given away since; if it came back, the name is enqueued
        }
        try {
            Cluster cluster = shard.isPresent()
                    ? clusters.add(name, definition.config(), shard.getAsInt())
                    : clusters.add(name, definition.config());
            joined.put(name, new JoinedCluster(cluster, definition.version(), term));
        } finally {
            if (!joined.containsKey(name)) {
                exit(name);
            }
        }
        LOG.info("Cluster {} of {} has joined", name, provider.name());
    }

    private boolean enter(String name, int shard, @Nullable WriteScope term) {
        lock.lock();
        try {
            boolean holds = held.get(shard) == term;
            if (holds) {
                present.put(name, shard);
            }
            return holds;
        } finally {
            lock.unlock();
        }
    }

    private void leave(String name, JoinedCluster leaves) {
        joined.remove(name);
        try {
            @Nullable Cluster now = clusters.find(name).orElse(null);
            if (now == leaves.cluster()) {
                boolean ended = clusters.remove(name);
                LOG.info(
                        "Cluster {} of {} has left{}",
                        name,
                        provider.name(),
                        ended ? "" : "; a component of it has not ended yet");
            }
        } finally {
            exit(name);
        }
    }

    private void exit(String name) {
        CompletableFuture<Void> left = null;
        lock.lock();
        try {
            Integer shard = present.remove(name);
            if (shard != null && !present.containsValue(shard)) {
                left = leaving.remove(shard);
            }
        } finally {
            lock.unlock();
        }
        if (left != null) {
            left.complete(null);
        }
    }

    /** The shard has arrived. */
    void start(int shard, WriteScope scope) {
        Collection<String> names;
        lock.lock();
        try {
            held.put(shard, scope);
            names = List.copyOf(known);
        } finally {
            lock.unlock();
        }
        for (String name : names) {
            boolean its = clusters.shard(name).equals(OptionalInt.of(shard));
            if (its && !requeue.test(name)) {
                LOG.debug("Cluster {} does not join, because the manager is stopping", name);
            }
        }
    }

    /** The shard leaves or is lost; the result completes when no cluster of it is present. */
    CompletionStage<Void> stop(int shard) {
        List<String> names = new ArrayList<>();
        CompletableFuture<Void> left;
        lock.lock();
        try {
            held.remove(shard);
            present.forEach((name, its) -> {
                if (its == shard) {
                    names.add(name);
                }
            });
            left = names.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : leaving.computeIfAbsent(shard, key -> new CompletableFuture<>());
        } finally {
            lock.unlock();
        }
        for (String name : names) {
            if (!requeue.test(name)) {
                endAll(); // the manager is stopping, and stops what works in the clusters
            }
        }
        return left;
    }

    private void endAll() {
        List<CompletableFuture<Void>> all;
        lock.lock();
        try {
            all = List.copyOf(leaving.values());
            leaving.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(each -> each.complete(null));
    }

    /** The manager is stopping. What was to leave ends with it. */
    void stop() {
        requeue = name -> false;
        endAll();
    }
}
