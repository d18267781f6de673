package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.WorkDivision;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Connects a manager to the clusters that join, and notifies listeners and controllers. Thread-safe. */
final class JoinedClusters implements Clusters, ManagerExtension {

    private final Host host;
    private final ClusterRegistry registry;

    JoinedClusters(Host host) {
        this.host = host;
        this.registry = new ClusterRegistry(host::failed);
    }

    @Override
    public List<Cluster> joined() {
        return registry.joined();
    }

    @Override
    public Optional<Cluster> find(String name) {
        return name.isEmpty() ? Optional.of(host.manager().home()) : registry.find(name);
    }

    @Override
    public Cluster add(String name, Config config) {
        return join(name, OptionalInt.empty(), config);
    }

    @Override
    public Cluster add(String name, Config config, int shard) {
        Optional<WorkDivision> division = host.manager().options().division();
        int shards = division.map(WorkDivision::parts).orElse(0);
        if (shard(name).isEmpty()) {
            throw new IllegalStateException(
                    "The replicas do not divide clusters: call ManagerOptions.withExtension(ShardingOptions), or add the cluster"
                            + " without a shard");
        }
        if (shard < 0 || shard >= shards) {
            throw new IllegalArgumentException("'shard' must be from 0 to " + (shards - 1) + ", was " + shard);
        }
        return join(name, OptionalInt.of(shard), config);
    }

    private Cluster join(String name, OptionalInt shard, Config config) {
        Cluster added = host.connect(name, shard, config);
        registry.join(added);
        return added;
    }

    @Override
    public OptionalInt shard(String name) {
        return host.manager().options().division().map(its -> its.partOf(name)).orElse(OptionalInt.empty());
    }

    @Override
    public boolean remove(String name) {
        Cluster leaving = registry.leave(name);
        if (leaving == null) {
            throw new IllegalArgumentException("The manager has no cluster '" + name + "'");
        }
        return host.disconnect(leaving);
    }

    @Override
    public void addListener(ClusterListener listener) {
        registry.add(new Object(), Objects.requireNonNull(listener, "'listener' must not be null"));
    }

    @Override
    public <R> void addControllers(AbstractControllerBuilder<R, ?> builder, Predicate<? super Cluster> clusters) {
        ControllerEach<R> each = new ControllerEach<>(host.manager(), builder, clusters, new ConcurrentHashMap<>());
        each.joined(host.manager().home());
        addListener(each);
    }

    @Override
    public void added(ManagedComponent component) {
        if (component instanceof ClusterListener listener) {
            registry.add(component, listener);
        } else if (component instanceof Controller<?> controller) {
            registry.add(component, new ControllerListener(controller));
        }
    }

    @Override
    public void removed(ManagedComponent component) {
        registry.remove(component);
    }

    /** A controller of any cluster can have sources in all of them. */
    private record ControllerListener(Controller<?> controller) implements ClusterListener {

        @Override
        public void joined(Cluster cluster) {
            controller.joined(cluster.name());
        }

        @Override
        public void left(Cluster cluster) {
            controller.left(cluster.name());
        }
    }

    /** Adds a controller for each selected cluster that joins. */
    private record ControllerEach<R>(
            Manager manager,
            AbstractControllerBuilder<R, ?> builder,
            Predicate<? super Cluster> clusters,
            Map<String, Controller<R>> siblings)
            implements ClusterListener {

        @Override
        public void joined(Cluster cluster) {
            if (clusters.test(cluster)) {
                Controller<R> added = builder.build(manager, cluster, siblings);
                manager.add(added);
                siblings.put(cluster.name(), added);
            }
        }

        @Override
        public void left(Cluster cluster) {
            siblings.remove(cluster.name());
        }
    }
}
