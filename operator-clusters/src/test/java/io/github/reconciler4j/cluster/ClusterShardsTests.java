package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clusters of a provider that the replicas of an operator divide by shards. There is no leader election. */
@Timeout(300)
class ClusterShardsTests {

    /** No replica loses its leases; all that moves is handed over. */
    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofMillis(200));

    private static final Set<String> NAMES =
            IntStream.range(0, 8).mapToObj(i -> "member-" + i).collect(Collectors.toSet());

    private final KubernetesServer home = KubernetesServer.start();
    private final Map<String, KubernetesServer> servers =
            NAMES.stream().collect(Collectors.toMap(name -> name, name -> KubernetesServer.start()));

    /** Which replica reconciles a request now, and what must not happen. */
    private final Map<Request, String> running = new ConcurrentHashMap<>();

    private final Set<String> violations = ConcurrentHashMap.newKeySet();

    @AfterEach
    void close() {
        home.close();
        servers.values().forEach(KubernetesServer::close);
        assertThat(violations).isEmpty();
    }

    /** A provider of all servers. */
    private final class Members implements ClusterProvider {
        private final ChannelSource<String, String> source = ChannelSource.ofRequests("names");

        @Override
        public String name() {
            return "members";
        }

        @Override
        public RequestSource<String> source() {
            return source;
        }

        @Override
        public Optional<Definition> find(String cluster) {
            return Optional.ofNullable(servers.get(cluster)).map(server -> new Definition(server.clientConfig(), 1));
        }
    }

    /** One replica, which writes its name into each object. */
    private final class Replica implements AutoCloseable {
        private final String name;
        private final Manager manager;
        private final Members members = new Members();
        private final Map<Request, String> seen = new ConcurrentHashMap<>();

        Replica(String name, ShardingOptions sharding) {
            this.name = name;
            manager = Manager.create(
                    home.clientConfig(), ManagerOptions.defaults().withExtension(sharding.withIdentity(name)));
            ClusterProviders.add(manager, members);
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class).reconciler((map, context) -> {
                                reconcile(context.request(), map.getData().get("value"), context.client());
                                return Result.done();
                            }),
                            cluster -> !cluster.name().isEmpty());
        }

        private void reconcile(Request request, String value, Client client) {
            String other = running.putIfAbsent(request, name);
            if (other != null) {
                violations.add(request + " is reconciled by " + other + " and " + name);
            }
            client.apply(object("written", name));
            seen.put(request, value);
            running.remove(request, name);
        }

        Replica start() {
            manager.start();
            NAMES.forEach(members.source::send);
            return this;
        }

        Set<String> clusters() {
            return Clusters.of(manager).joined().stream().map(Cluster::name).collect(Collectors.toSet());
        }

        /** The clusters whose object it has reconciled with a value. */
        Set<String> seen(String value) {
            return seen.entrySet().stream()
                    .filter(entry -> entry.getKey().name().equals("object")
                            && entry.getValue().equals(value))
                    .map(entry -> entry.getKey().cluster())
                    .collect(Collectors.toSet());
        }

        /** The clusters of the shards that it holds. */
        Set<String> assigned() {
            Set<Integer> held = manager.cache().partition().held();
            return NAMES.stream()
                    .filter(cluster ->
                            held.contains(Clusters.of(manager).shard(cluster).orElseThrow()))
                    .collect(Collectors.toSet());
        }

        @Override
        public void close() {
            manager.close();
        }
    }

    private static ShardingOptions sharding() {
        return ShardingOptions.named("fleet").withLeaseNamespace("default").withTiming(TIMING);
    }

    private static ConfigMap object(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    /** Writes the object of each cluster. */
    private void write(String value) {
        servers.values().forEach(server -> {
            try (ApiConnection connection = ApiConnection.open(server.clientConfig())) {
                Client.create(connection, Scheme.create(), ClientOptions.defaults())
                        .apply(object("object", value));
            }
        });
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(90))
                .until(condition);
    }

    private static Set<String> both(Set<String> one, Set<String> two) {
        Set<String> all = new HashSet<>(one);
        all.addAll(two);
        return all;
    }

    /** The threads of the controllers in all clusters. */
    private static List<String> threads() {
        return LiveThreads.named("controller-configmap");
    }

    @Test
    void clustersWhenReplicasJoinAndLeaveAreWhereTheirShardIs() {
        write("0");
        try (Replica two = new Replica("two", sharding())) {
            try (Replica one = new Replica("one", sharding()).start()) {
                await("one has all", () -> one.seen("0").equals(NAMES));
                int before = threads().size();
                assertThat(before).isGreaterThanOrEqualTo(NAMES.size());
                two.start();
                await(
                        "the shards are divided",
                        () -> one.assigned().size() < NAMES.size()
                                && two.manager.cache().partition().held().size() == 8
                                && one.manager.cache().partition().held().size() == 8);
                await("one has its part", () -> one.clusters().equals(one.assigned()));
                await("two has its part", () -> two.clusters().equals(two.assigned()));
                assertThat(one.clusters()).doesNotContainAnyElementsOf(two.clusters());
                assertThat(both(one.clusters(), two.clusters())).isEqualTo(NAMES);
                await("two has reconciled its part", () -> two.seen("0").equals(two.clusters()));
                write("1");
                await("both follow", () -> both(one.seen("1"), two.seen("1")).equals(NAMES));
                assertThat(one.seen("1")).isEqualTo(one.clusters());
                assertThat(two.seen("1")).isEqualTo(two.clusters());
                await("each cluster has threads on one replica", () -> threads().size() <= before);
            }
            await("two has all", () -> two.clusters().equals(NAMES));
            write("2");
            await("two follows all", () -> two.seen("2").equals(NAMES));
        }
        await("no thread of a cluster is left", () -> threads().isEmpty());
    }

    /** Adds a controller whose reconciliations end when they are interrupted, and must not write then. */
    private static void addEndless(Replica replica, Set<String> refused, Set<String> ended) {
        Clusters.of(replica.manager)
                .addControllers(
                        ControllerBuilder.of(ConfigMap.class)
                                .named("endless")
                                .customizeOptions(options -> options.withPlacement(Placement.allReplicas()))
                                .reconciler((map, context) -> {
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        assertThatThrownBy(
                                                        () -> context.client().apply(object("late", "0")))
                                                .isInstanceOf(WriteRefusedException.class);
                                        refused.add(context.cluster());
                                    }
                                    ended.add(context.cluster());
                                    return Result.done();
                                }),
                        cluster -> !cluster.name().isEmpty());
    }

    @Test
    void clustersWhenTheirReconciliationsDoNotEndAreInterruptedAndFenced() {
        write("0");
        Set<String> refused = ConcurrentHashMap.newKeySet();
        Set<String> ended = ConcurrentHashMap.newKeySet();
        Set<String> early = ConcurrentHashMap.newKeySet();
        ShardingOptions soon = sharding().withDrainTimeout(Duration.ofMillis(300));
        try (Replica one = new Replica("one", soon);
                Replica two = new Replica("two", soon)) {
            addEndless(one, refused, ended);
            Clusters.of(two.manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class)
                                    .named("endless")
                                    .reconciler((map, context) -> {
                                        if (!ended.contains(context.cluster())) {
                                            early.add(context.cluster());
                                        }
                                        return Result.done();
                                    }),
                            cluster -> !cluster.name().isEmpty());
            one.start();
            await("one has all", () -> one.seen("0").equals(NAMES));
            two.start();
            await(
                    "two has its part",
                    () -> two.manager.cache().partition().held().size() == 8
                            && two.seen("0").equals(two.assigned()));
            assertThat(two.clusters()).isNotEmpty();
            assertThat(refused).containsAll(two.clusters());
            assertThat(early).isEmpty();
        }
    }

    @Test
    void clustersWhenTheyAreNotDividedAreOnEachReplica() {
        try (Replica one = new Replica("one", sharding().withDividedClusters(false)).start()) {
            await("all join", () -> one.clusters().equals(NAMES));
            assertThat(Clusters.of(one.manager).joined())
                    .allMatch(cluster -> cluster.part().isEmpty());
            assertThat(Clusters.of(one.manager).shard("member-1")).isEmpty();
            assertThatThrownBy(() -> Clusters.of(one.manager).add("other", home.clientConfig(), 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("do not divide clusters");
        }
        ManagerOptions observer = ManagerOptions.defaults()
                .withExtension(sharding())
                .withClient(ClientOptions.defaults().withMode(WriteMode.DRY_RUN));
        try (Manager manager = Manager.create(home.clientConfig(), observer)) {
            assertThat(Clusters.of(manager).shard("member-1")).as("an observer").isEmpty();
        }
        try (Manager manager =
                Manager.create(home.clientConfig(), ManagerOptions.defaults().withExtension(sharding()))) {
            assertThat(Clusters.of(manager).shard("member-1").orElseThrow()).isBetween(0, 15);
            assertThat(Clusters.of(manager)
                            .add("other", home.clientConfig(), 15)
                            .part())
                    .hasValue(15);
            assertThatThrownBy(() -> Clusters.of(manager).add("third", home.clientConfig(), 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'shard' must be from 0 to 15");
        }
    }
}
