package io.github.reconciler4j.manager.internal.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ClusterListener;
import io.github.reconciler4j.manager.Clusters;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.internal.sharding.ShardingComponent;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** Adds each cluster as a component of the manager, and removes the components for it first. Thread-safe. */
public final class ManagerClusters implements Clusters {

    private final ClusterComponent.Shared shared;
    private final ClusterRegistry registry;
    private final Parts parts;

    /** What the clusters need of the manager. */
    public interface Parts {

        /** Check the permissions in a cluster that joins. */
        void preflight(ClusterComponent joining);

        void add(ManagedComponent component);

        /** Return the components without their companions. */
        List<ManagedComponent> firsts();

        /** Remove components with their companions; return false if one of them did not end in time. */
        boolean remove(List<ManagedComponent> firsts);
    }

    public ManagerClusters(ClusterComponent.Shared shared, ClusterRegistry registry, Parts parts) {
        this.shared = shared;
        this.registry = registry;
        this.parts = parts;
    }

    @Override
    public List<Cluster> joined() {
        return registry.joined();
    }

    @Override
    public Optional<Cluster> find(String name) {
        return registry.find(name).map(Cluster.class::cast);
    }

    @Override
    public Cluster add(String name, Config config) {
        return join(name, OptionalInt.empty(), config);
    }

    @Override
    public Cluster add(String name, Config config, int shard) {
        int shards = shared.options().sharding().map(ShardingOptions::shards).orElse(0);
        if (shard(name).isEmpty()) {
            throw new IllegalStateException(
                    "The replicas do not divide clusters: call ManagerOptions.withSharding, or add the cluster"
                            + " without a shard");
        }
        if (shard < 0 || shard >= shards) {
            throw new IllegalArgumentException("'shard' must be from 0 to " + (shards - 1) + ", was " + shard);
        }
        return join(name, OptionalInt.of(shard), config);
    }

    private Cluster join(String name, OptionalInt shard, Config config) {
        ClusterComponent added = ClusterComponent.other(name, shard, config, shared, parts::preflight);
        try {
            parts.add(added);
        } catch (Throwable e) {
            added.stop(Duration.ZERO);
            throw e;
        }
        registry.join(added);
        return added;
    }

    @Override
    public OptionalInt shard(String name) {
        return ShardingComponent.clusterShard(shared.options(), name);
    }

    @Override
    public boolean remove(String name) {
        ClusterComponent leaving = registry.leave(name);
        if (leaving == null) {
            throw new IllegalArgumentException("The manager has no cluster '" + name + "'");
        }
        List<ManagedComponent> its = parts.firsts().stream()
                .filter(first -> first.cluster().equals(name) && first != leaving)
                .toList();
        boolean ended = parts.remove(its);
        return parts.remove(List.of(leaving)) && ended;
    }

    @Override
    public void addListener(ClusterListener listener) {
        registry.add(Objects.requireNonNull(listener, "'listener' must not be null"));
    }
}
