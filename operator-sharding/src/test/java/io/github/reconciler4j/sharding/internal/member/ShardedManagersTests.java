package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingOptions.Families;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Managers with options for sharding on one server. */
@Timeout(300)
class ShardedManagersTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final int NAMESPACES = 40;
    /** No replica loses its leases; all that moves is handed over. */
    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofMillis(200));

    private final KubernetesServer server = KubernetesServer.start();

    @AfterEach
    void close() {
        server.close();
    }

    private static ManagerOptions options() {
        return ManagerOptions.defaults()
                .withExtension(ShardingOptions.named("shop")
                        .withLeaseNamespace("default")
                        .withTiming(TIMING));
    }

    private Manager manager(ManagerOptions options) {
        return Manager.create(server.clientConfig(), options);
    }

    private static ControllerBuilder<ConfigMap> controller(Map<Request, String> seen) {
        return ControllerBuilder.of(ConfigMap.class).reconciler((map, context) -> {
            seen.put(context.request(), map.getData().get("key"));
            return Result.done();
        });
    }

    private static void createNamespaces(Client client) {
        for (int i = 0; i < NAMESPACES; i++) {
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("n" + i)
                    .endMetadata()
                    .build());
        }
    }

    private static void write(Client client, String value) {
        for (int i = 0; i < NAMESPACES; i++) {
            client.createOrUpdate(
                    new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace("n" + i)
                            .withName("x")
                            .endMetadata()
                            .build(),
                    map -> map.setData(Map.of("key", value)));
        }
    }

    private static Set<Request> written() {
        Set<Request> all = new HashSet<>();
        for (int i = 0; i < NAMESPACES; i++) {
            all.add(new Request("n" + i, "x"));
        }
        return all;
    }

    private static Set<Request> seen(Map<Request, String> reconciled, String value) {
        Set<Request> all = new HashSet<>();
        reconciled.forEach((request, seen) -> {
            if (seen.equals(value) && request.name().equals("x")) {
                all.add(request);
            }
        });
        return all;
    }

    @Test
    void replicasWhenOneLeavesShareTheObjectsAndTheOtherTakesAll() {
        Map<Request, String> first = new ConcurrentHashMap<>();
        Map<Request, String> second = new ConcurrentHashMap<>();
        try (ApiConnection connection = ApiConnection.open(server.clientConfig());
                Manager two = manager(options())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            createNamespaces(client);
            write(client, "0");
            controller(second).addTo(two);
            try (Manager one = manager(options())) {
                assertThat(controller(first).addTo(one).group()).isEqualTo(StartGroup.ALL_REPLICAS);
                one.start();
                await("one has all").atMost(LONG).until(() -> seen(first, "0").equals(written()));
                two.start();
                await("half of the shards")
                        .atMost(LONG)
                        .until(() -> two.cache().partition().held().size() == 8
                                && one.cache().partition().held().size() == 8);
                first.clear();
                second.clear();
                write(client, "1");
                await("both work").atMost(LONG).until(() -> {
                    Set<Request> both = seen(first, "1");
                    both.addAll(seen(second, "1"));
                    return both.equals(written());
                });
                assertThat(first.keySet()).isNotEmpty().doesNotContainAnyElementsOf(seen(second, "1"));
                assertThat(second).isNotEmpty();
            }
            await("two takes all").atMost(LONG).until(() -> seen(second, "1").equals(written()));
            write(client, "2");
            await("two follows all").atMost(LONG).until(() -> seen(second, "2").equals(written()));
        }
    }

    @Test
    void createWhenTheCacheHasShardsOfItsOwnFails() {
        CacheOptions cache = CacheOptions.defaults().withPartition(Partition.of(4, Set.of(1)));
        assertThatThrownBy(() -> manager(options().withCache(cache)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parts [1] of 4")
                .hasMessageContaining("CacheOptions.withPartition");
    }

    @Test
    void createWhenFamiliesAreOfOwnersKeepsTheKeysThatAreSet() {
        ManagerOptions byOwner = options()
                .withExtension(ShardingOptions.of(options()).orElseThrow().withFamilies(Families.BY_OWNER));
        CacheOptions divided = divided(byOwner);
        assertThat(divided.of(ConfigMap.class).partitionKey()).contains(PartitionKey.owner());
        assertThat(divided.of(Namespace.class).partitionKey()).contains(PartitionKey.whole());
        assertThat(divided.partition()).isEqualTo(Partition.of(16, Set.of()));
        CacheOptions own = CacheOptions.defaults()
                .withKind(Secret.class, KindCacheOptions.defaults().withPartitionKey(PartitionKey.uid()))
                .withKind(Namespace.class, KindCacheOptions.defaults().withPartitionKey(PartitionKey.namespace()));
        CacheOptions kept = divided(byOwner.withCache(own));
        assertThat(kept.of(Secret.class).partitionKey()).contains(PartitionKey.uid());
        assertThat(kept.of(Namespace.class).partitionKey()).contains(PartitionKey.namespace());
        assertThat(divided(options()).of(ConfigMap.class).partitionKey()).isEmpty();
    }

    @Test
    void keysWhenReplicasDivideInOtherWaysDiffer() {
        CacheOptions cache = CacheOptions.defaults();
        PartitionKey own = PartitionKey.namespaceOf(header -> "tenant");
        ShardingOptions sharding = ShardingOptions.of(options()).orElseThrow();
        List<String> keys = Stream.of(
                        cache,
                        kind(cache, PartitionKey.uid()),
                        kind(cache, PartitionKey.owner()),
                        kind(cache, own),
                        kind(cache, own.withId("v2")),
                        kind(kind(cache, own), Secret.class, PartitionKey.uid()),
                        cache.withKindDefaults(KindCacheOptions.defaults().withPartitionKey(PartitionKey.uid())),
                        cache.withPartition(Partition.all().withServerNamespaces(true)))
                .map(each -> DividedWork.keys(sharding, each))
                .toList();
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(DividedWork.keys(sharding.withDividedClusters(false), cache)).isNotIn(keys);
        assertThat(DividedWork.keys(sharding, kind(cache, PartitionKey.namespaceOf(header -> "other"))))
                .as("functions without ids cannot be compared")
                .isEqualTo(keys.get(3));
        assertThat(DividedWork.keys(sharding, kind(kind(cache, Secret.class, PartitionKey.uid()), own)))
                .as("another order")
                .isEqualTo(keys.get(5));
    }

    private static CacheOptions divided(ManagerOptions options) {
        return ShardingOptions.of(options).orElseThrow().cache(options);
    }

    private static CacheOptions kind(CacheOptions cache, PartitionKey key) {
        return kind(cache, ConfigMap.class, key);
    }

    private static CacheOptions kind(CacheOptions cache, Class<? extends HasMetadata> kind, PartitionKey key) {
        return cache.withKind(kind, KindCacheOptions.defaults().withPartitionKey(key));
    }

    @Test
    void withIdWhenThereIsNothingToIdentifyFails() {
        assertThat(PartitionKey.uidOf(header -> "").withId("v2"))
                .hasToString("PartitionKey[UID_OF v2]")
                .returns("v2", PartitionKey::id)
                .returns(PartitionKey.Type.UID_OF, PartitionKey::type);
        assertThat(PartitionKey.uidOf(header -> "").id()).isEqualTo("custom");
        assertThatThrownBy(() -> PartitionKey.uid().withId("v2")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> PartitionKey.uidOf(header -> "").withId(" "))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void createWhenNothingIsDividedHoldsEverything() {
        CacheOptions shards = CacheOptions.defaults().withPartition(Partition.of(4, Set.of(1)));
        ManagerOptions single = options()
                .withExtension(ShardingOptions.of(options()).orElseThrow().withShards(1));
        assertThat(divided(single).partition()).isEqualTo(Partition.all());
        assertThat(single.division().orElseThrow().partOf("east")).isEmpty();
        ManagerOptions observer = options().withClient(ClientOptions.defaults().withMode(WriteMode.DRY_RUN));
        assertThat(divided(observer).partition()).isEqualTo(Partition.all());
        assertThat(observer.division()).isEmpty();
        try (Manager manager = manager(ManagerOptions.defaults().withCache(shards))) {
            Controller<Request> controller =
                    controller(new ConcurrentHashMap<>()).build(manager);
            assertThat(controller.gate()).as("a static division").isEmpty();
            assertThat(controller.group()).isEqualTo(StartGroup.LEADER_ELECTED);
        }
    }

    @Test
    void addWhenAControllerCannotBeDividedNeedsLeaderElectionAndWholeKinds() {
        RequestControllerBuilder<String> names = ControllerBuilder.forRequests("names", String.class)
                .watches(Namespace.class, object -> Set.of("all"))
                .reconciler((name, context) -> Result.done());
        try (Manager manager = manager(options())) {
            assertThatThrownBy(() -> names.addTo(manager))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'names' must run on one replica")
                    .hasMessageContaining("withLeaderElection");
            assertThat(manager.components()).extracting(ManagedComponent::name).doesNotContain("names");
        }
        try (Manager manager = manager(
                options().withLeaderElection(LeaderElectionOptions.named("lock").withLeaseNamespace("default")))) {
            assertThat(names.addTo(manager).group()).isEqualTo(StartGroup.LEADER_ELECTED);
            RequestControllerBuilder<String> maps = ControllerBuilder.forRequests("maps", String.class)
                    .watches(ConfigMap.class, object -> Set.of("all"))
                    .reconciler((name, context) -> Result.done());
            assertThatThrownBy(() -> maps.addTo(manager))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ConfigMap")
                    .hasMessageContaining("PartitionKey.whole()");
        }
    }
}
