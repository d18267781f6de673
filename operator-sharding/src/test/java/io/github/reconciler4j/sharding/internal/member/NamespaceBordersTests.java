package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas agree on borders between shards of namespaces, by the hash of the API server. */
@Timeout(300)
class NamespaceBordersTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final int SHARDS = 4;
    private static final String LEASE = "shop-borders";
    private static final String ANNOTATION = "reconciler4j.io/namespace-borders-of-4";
    private static final ShardingOptions SHARDING = ShardingOptions.named("shop")
            .withShards(SHARDS)
            .withLeaseNamespace("default")
            .withNamespaceReview(Duration.ofSeconds(3))
            .withTiming(LeaseTiming.of(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofMillis(200)));

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    private final Map<Request, String> running = new ConcurrentHashMap<>();
    private final Set<String> overlaps = ConcurrentHashMap.newKeySet();

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private void createTeams(int from, int to) {
        for (int i = from; i < to; i++) {
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("team-" + i)
                    .endMetadata()
                    .build());
        }
    }

    private void write(String team, String value) {
        client.createOrUpdate(
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(team)
                        .withName("x")
                        .endMetadata()
                        .build(),
                map -> map.setData(Map.of("key", value)));
    }

    private NamespaceBorders borders() {
        ShardingOptions patient = SHARDING.withTiming(
                LeaseTiming.of(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofSeconds(2)));
        ShardCoordinator.Settings settings =
                new ShardCoordinator.Settings(connection, "default", "me", patient, "", new RecordingMetrics());
        return new NamespaceBorders(settings, Partition.of(SHARDS, Set.of()), Set.of());
    }

    private Map<String, String> annotations() {
        return client.get(Lease.class, ObjectKey.of("default", LEASE))
                .orElseThrow()
                .getMetadata()
                .getAnnotations();
    }

    private static List<String> teams(int count) {
        return IntStream.range(0, count).mapToObj(i -> "team-" + i).toList();
    }

    @Test
    void agreeWhenThereAreNoneDividesTheNamespacesAndOthersFollow() {
        createTeams(0, 1100); // more than one page
        List<Long> first = borders().agree(Optional.empty());

        assertThat(first).hasSize(SHARDS - 1);
        int[] sizes = new int[SHARDS];
        Partition shards = Partition.of(SHARDS, Set.of()).withNamespaceBorders(first);
        teams(1100).forEach(team -> sizes[shards.ofNamespace(team)]++);
        assertThat(IntStream.of(sizes)).allMatch(size -> size >= 274 && size <= 277);
        assertThat(borders().agree(Optional.empty())).isEqualTo(first);
        assertThat(borders().agree(Optional.of(List.of(1L, 2L, 3L))))
                .as("those of the others, not its own")
                .isEqualTo(first);
    }

    @Test
    void agreeWhenTheLeaseWasDeletedStatesThePresentOnesAgain() {
        List<Long> first = borders().agree(Optional.empty());
        client.get(Lease.class, ObjectKey.of("default", LEASE)).ifPresent(client::delete);
        createTeams(0, 20);
        assertThat(borders().agree(Optional.of(first))).isEqualTo(first);
        assertThat(annotations()).containsKey(ANNOTATION);
    }

    @Test
    void agreeWhenTheBordersCannotBeReadSaysWhere() {
        borders().agree(Optional.empty());
        for (String text : List.of("1,2", "3,2,1", "x,y,z", "1,2,")) {
            client.createOrUpdate(
                    new LeaseBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName(LEASE)
                            .endMetadata()
                            .build(),
                    lease -> lease.getMetadata().getAnnotations().put(ANNOTATION, text));
            assertThatThrownBy(() -> borders().agree(Optional.empty()))
                    .as(text)
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining(ANNOTATION)
                    .hasMessageContaining("default/" + LEASE)
                    .hasMessageContaining("remove it");
        }
    }

    @Test
    void reviewWhenShardsAreAboutEvenChangesNothing() {
        createTeams(0, 40);
        List<Long> first = borders().agree(Optional.empty());
        createTeams(40, 48);
        borders().review(first);
        assertThat(borders().agree(Optional.empty())).isEqualTo(first);
        createTeams(48, 120);
        borders().review(List.of(1L, 2L, 3L));
        assertThat(borders().agree(Optional.empty()))
                .as("a replica with former borders changes nothing")
                .isEqualTo(first);
        borders().review(first);
        assertThat(borders().agree(Optional.empty())).isNotEqualTo(first);
    }

    private Manager replica(Map<Request, String> reconciled, String name) {
        Manager manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withCache(CacheOptions.defaults()
                                .withPartition(Partition.all().withServerNamespaces(true)))
                        .withExtension(SHARDING.withIdentity(name)));
        ControllerBuilder.of(ConfigMap.class)
                .reconciler((map, context) -> {
                    String other = running.put(context.request(), name);
                    if (other != null) {
                        overlaps.add(context.request() + " by " + other + " and " + name);
                    }
                    reconciled.put(context.request(), name);
                    running.remove(context.request());
                    return Result.done();
                })
                .addTo(manager);
        return manager;
    }

    private static Set<String> teamsOf(Map<Request, String> reconciled) {
        return reconciled.keySet().stream()
                .filter(request -> request.name().equals("x"))
                .map(Request::namespace)
                .collect(Collectors.toSet());
    }

    @Test
    void replicasWhenNamespacesAreAddedDivideThemAnew() {
        borders().agree(Optional.empty());
        String before = annotations().get(ANNOTATION);
        createTeams(0, 60);
        teams(60).forEach(team -> write(team, "old"));
        Map<Request, String> first = new ConcurrentHashMap<>();
        Map<Request, String> second = new ConcurrentHashMap<>();
        try (Manager one = replica(first, "one");
                Manager two = replica(second, "two")) {
            assertThat(statusOf(one).problem()).contains("borders of namespaces");
            one.start();
            two.start();
            await("other borders")
                    .atMost(LONG)
                    .until(() -> !annotations().get(ANNOTATION).equals(before));
            await("shards with other borders").atMost(LONG).until(() -> evenly(one, two));
            first.clear();
            second.clear();
            teams(60).forEach(team -> write(team, "new"));
            await("all once").atMost(LONG).untilAsserted(() -> {
                Set<String> all = new HashSet<>(teamsOf(first));
                all.addAll(teamsOf(second));
                assertThat(all).containsExactlyInAnyOrderElementsOf(teams(60));
            });
            assertThat(teamsOf(first)).hasSizeBetween(24, 36).doesNotContainAnyElementsOf(teamsOf(second));
            assertThat(overlaps).isEmpty();
            assertThat(statusOf(one).moves().acquired()).isGreaterThanOrEqualTo(2);
            await("borders that can be read")
                    .atMost(LONG)
                    .until(() -> statusOf(one).problem().isEmpty());
        }
    }

    private static ShardingStatus statusOf(Manager manager) {
        return manager.status().extension(ShardingStatus.class).orElseThrow();
    }

    private static int held(Manager manager) {
        return statusOf(manager).shards().size();
    }

    /** Whether both replicas hold two shards with about half of the teams, by the same borders. */
    private static boolean evenly(Manager one, Manager two) {
        Partition first = one.cache().partition();
        Partition second = two.cache().partition();
        List<String> ofFirst = teams(60).stream()
                .filter(team -> first.isHeld(first.ofNamespace(team)))
                .toList();
        return first.namespaceBorders().equals(second.namespaceBorders())
                && held(one) == 2
                && held(two) == 2
                && ofFirst.size() >= 24
                && ofFirst.size() <= 36
                && teams(60).stream()
                        .allMatch(team -> second.isHeld(second.ofNamespace(team)) != ofFirst.contains(team));
    }
}
