package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server that knows shard selectors (alpha, so the feature gate is on) sends of each part what we think is in it. */
@NeedsKubernetes("1.36") // the feature gate ShardedListAndWatch
@Tag("whole")
@Timeout(400)
class PartIntegrationTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final int PARTS = 3;
    private static final int OBJECTS = 40;
    private static RealKubernetes kubernetes;

    private final Scheme scheme = Scheme.create();
    private final Set<String> uids = new TreeSet<>();
    private ApiConnection connection;
    private Client client;
    private String namespace;

    @BeforeAll
    static void start() {
        kubernetes = RealKubernetes.start(RealKubernetesOptions.defaults()
                .withOnly()
                .withArgument(KubernetesComponent.APISERVER, "--feature-gates=ShardedListAndWatch=true"));
    }

    @AfterAll
    static void end() {
        kubernetes.close();
    }

    @BeforeEach
    void open() {
        connection = ApiConnection.open(kubernetes.config());
        client = Client.create(connection, scheme, ClientOptions.defaults());
        namespace = kubernetes.createNamespace("parts");
        create("first");
    }

    @AfterEach
    void close() {
        connection.close();
    }

    private void create(String prefix) {
        for (int i = 0; i < OBJECTS; i++) {
            ConfigMap made = client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(prefix + i)
                    .endMetadata()
                    .build());
            uids.add(made.getMetadata().getUid());
        }
    }

    private static Partition part(int number) {
        return Partition.of(2 * PARTS, Set.of(number, number + PARTS));
    }

    private ApiRequest request(String verb, Partition part, Map<String, String> more) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        query.put("shardSelector", List.of(selector(part)));
        more.forEach((name, value) -> query.put(name, List.of(value)));
        return ApiRequest.of(verb, "GET", "/api/v1/namespaces/" + namespace + "/configmaps")
                .withQuery(query);
    }

    /** Two ranges that do not adjoin. */
    private static String selector(Partition partition) {
        return partition.held().stream()
                .map(part -> "shardRange(object.metadata.uid, '" + bound(part) + "', '" + bound(part + 1) + "')")
                .collect(Collectors.joining(" || "));
    }

    private static String bound(int part) {
        BigInteger bound = BigInteger.ONE
                .shiftLeft(64)
                .multiply(BigInteger.valueOf(part))
                .add(BigInteger.valueOf(2 * PARTS - 1))
                .divide(BigInteger.valueOf(2 * PARTS));
        return "0x" + "0".repeat(Math.max(0, 16 - bound.toString(16).length())) + bound.toString(16);
    }

    private Set<String> expected(Partition part) {
        Set<String> expected = new TreeSet<>(uids);
        expected.removeIf(uid -> !part.isHeld(part.ofUid(uid)));
        return expected;
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    @Test
    void listOfAPartReturnsItsObjectsOnly() throws IOException {
        for (int i = 0; i < PARTS; i++) {
            Partition part = part(i);
            Set<String> sent = new TreeSet<>();
            KubernetesJson.mapper()
                    .readTree(connection.send(request("list", part, Map.of())).body())
                    .path("items")
                    .forEach(item -> sent.add(uid(item)));
            assertThat(sent).as("part %s", i).isEqualTo(expected(part)).hasSizeBetween(1, OBJECTS - 1);
        }
    }

    @Test
    void watchOfAPartDeliversItsObjectsOnly() throws IOException {
        Partition part = part(1);
        Map<String, String> watch = Map.of(
                "watch",
                "true",
                "sendInitialEvents",
                "true",
                "resourceVersionMatch",
                "NotOlderThan",
                "allowWatchBookmarks",
                "true",
                "timeoutSeconds",
                "120");
        try (ApiStream stream = connection.stream(request("watch", part, watch));
                BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            create("second");
            Set<String> sent = new TreeSet<>();
            while (!sent.containsAll(expected(part))) {
                JsonNode event = KubernetesJson.mapper().readTree(lines.readLine());
                if (event.path("type").asText().equals("ADDED")) {
                    sent.add(uid(event.path("object")));
                }
            }
            assertThat(sent).isEqualTo(expected(part));
        }
    }

    @Test
    void cachesOfAllPartsHaveEverythingOnceAndFollow() {
        List<Cache> caches = new ArrayList<>();
        try {
            for (int i = 0; i < PARTS; i++) {
                Cache cache = Cache.create(
                        connection,
                        scheme,
                        CacheOptions.defaults()
                                .withSyncTimeout(LONG)
                                .withPartition(part(i))
                                .withKindDefaults(KindCacheOptions.defaults().withPartitionKey(PartitionKey.uid())));
                caches.add(cache);
                cache.start();
            }
            assertThat(cached(caches)).containsExactlyInAnyOrderElementsOf(uids);
            create("second");
            await("all")
                    .atMost(LONG)
                    .untilAsserted(() -> assertThat(cached(caches)).containsExactlyInAnyOrderElementsOf(uids));
        } finally {
            caches.forEach(Cache::close);
        }
    }

    @Test
    void cacheWhenServerFiltersReceivesNothingOfOtherPartsAlsoAfterAChange() throws InterruptedException {
        for (PartitionKey key : List.of(PartitionKey.uid(), PartitionKey.namespace())) {
            RecordingMetrics metrics = new RecordingMetrics();
            Partition all = Partition.of(4, Set.of()).withServerNamespaces(true);
            KindCacheOptions options = KindCacheOptions.defaults().withPartitionKey(key);
            try (Cache cache = Cache.create(
                    connection,
                    scheme,
                    CacheOptions.defaults()
                            .withSyncTimeout(LONG)
                            .withMetrics(metrics)
                            .withPartition(all.withHeld(Set.of(1)))
                            .withKindDefaults(options))) {
                cache.start();
                cache.list(Kind.of(ConfigMap.class), Selection.all());
                cache.changePartition(all.withHeld(Set.of(0, 2, 3)));
                assertThat(cache.awaitPartition(LONG)).isTrue();
                cache.list(Kind.of(ConfigMap.class), Selection.all()).forEach(map -> {
                    ObjectMeta meta = map.getMetadata();
                    boolean byUid = key.equals(PartitionKey.uid());
                    assertThat(byUid ? all.ofUid(meta.getUid()) : all.ofNamespace(meta.getNamespace()))
                            .isNotEqualTo(1);
                });
                assertThat(metrics.count("reconciler4j_cache_filtered_objects_total{kind=configmaps}"))
                        .isZero();
            }
        }
    }

    private List<String> createTeams() {
        List<String> teams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String team = "team-" + namespace + "-" + i;
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(team)
                    .endMetadata()
                    .build());
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(team)
                    .withName("x")
                    .endMetadata()
                    .build());
            teams.add(team);
        }
        return teams;
    }

    @Test
    void cachesWhenNamespacesHaveBordersReceiveAboutHalfEach() {
        List<String> teams = createTeams();
        Partition eight = Partition.of(8, Set.of()).withEvenNamespaces(teams);
        List<String> received = new ArrayList<>();
        for (Set<Integer> half : List.of(Set.of(0, 2, 5, 7), Set.of(1, 3, 4, 6))) {
            RecordingMetrics metrics = new RecordingMetrics();
            CacheOptions options = CacheOptions.defaults()
                    .withSyncTimeout(LONG)
                    .withMetrics(metrics)
                    .withPartition(eight.withHeld(half));
            try (Cache cache = Cache.create(connection, scheme, options)) {
                cache.start();
                List<String> its = cache.list(Kind.of(ConfigMap.class), Selection.all()).stream()
                        .filter(map -> map.getMetadata().getName().equals("x"))
                        .map(map -> map.getMetadata().getNamespace())
                        .toList();
                assertThat(its).hasSizeBetween(8, 12);
                received.addAll(its);
                assertThat(metrics.count("reconciler4j_cache_filtered_objects_total{kind=configmaps}"))
                        .as("objects that the API server sent in vain")
                        .isZero();
            }
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(teams);
    }

    private List<String> cached(List<Cache> caches) {
        List<String> cached = new ArrayList<>();
        for (Cache cache : caches) {
            cache.list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))
                    .forEach(map -> cached.add(map.getMetadata().getUid()));
        }
        return cached;
    }
}
