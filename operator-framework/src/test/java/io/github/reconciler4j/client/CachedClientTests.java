package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.cache.UnsupportedSelectorException;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a client with a cache reads. */
@Timeout(120)
class CachedClientTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final ObjectKey ONE = ObjectKey.of("default", "one");
    private static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private Cache cache;
    private Client client;

    private void start(UnaryOperator<CacheOptions> cacheOptions, UnaryOperator<ClientOptions> options) {
        Scheme scheme = Scheme.create();
        cache = Cache.create(connection, scheme, cacheOptions.apply(CacheOptions.defaults()));
        client = Client.create(connection, scheme, cache, options.apply(ClientOptions.defaults()));
        cache.start();
    }

    private void start() {
        start(options -> options, options -> options);
    }

    @AfterEach
    void close() {
        if (cache != null) {
            cache.close();
        }
        connection.close();
        server.close();
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    private long reads(String kind) {
        return server.requests().count(RequestMatch.verbs("get", "list").kind(kind));
    }

    /** The watch of a kind opens a moment after its objects are cached. */
    private long requests() {
        return server.requests().all().stream()
                .map(LoggedRequest::request)
                .filter(RequestMatch.watches().negate())
                .count();
    }

    @Test
    void readsWhenKindIsCachedShareOneWatchInAllFormsAndAskNoMore() {
        start();
        client.create(map("one", "1"));
        client.get(ConfigMap.class, ONE);
        long before = requests();

        assertThat(client.get(ConfigMap.class, ONE)).isPresent();
        assertThat(client.get(Kind.of(CONFIG_MAP), ONE).orElseThrow().<String>get("data", "value"))
                .isEqualTo("1");
        assertThat(client.get(Kind.of(CONFIG_MAP).metadata(), ONE)).isPresent();
        assertThat(client.list(Kind.of(ConfigMap.class), Selection.all())).isNotEmpty();
        assertThat(client.list(Kind.of(CONFIG_MAP).metadata(), Selection.inNamespace("default")))
                .isNotEmpty();

        assertThat(requests()).isEqualTo(before);
        await("one watch")
                .atMost(TIME_LIMIT)
                .until(() -> server.watches(RequestMatch.watches().kind("ConfigMap")) == 1);
        assertThat(client.live().get(ConfigMap.class, ONE)).isPresent();
        assertThat(requests()).isEqualTo(before + 1);
    }

    @Test
    void listOwnedWhenKindIsCachedReadsTheIndexWithPendingWrites() {
        start();
        ConfigMap owner = client.create(map("one", "1"));
        ConfigMap owned = map("owned", "1");
        OwnerReferences.setController(owned, owner);
        assertThat(client.listOwned(owner, ConfigMap.class)).isEmpty();
        client.create(owned);
        long before = requests();
        assertThat(client.listOwned(owner, ConfigMap.class))
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("owned");
        assertThat(client.listOwned(owner, Kind.of(CONFIG_MAP))).hasSize(1);
        assertThat(client.exists(Kind.of(ConfigMap.class), ObjectKey.of("default", "owned")))
                .isTrue();
        assertThat(requests()).isEqualTo(before);
        client.delete(owned);
        assertThat(client.listOwned(owner, ConfigMap.class)).isEmpty();
    }

    @Test
    void applyWhenKindIsNotWatchedReadsTheServerAndStartsNoWatch() {
        start();
        assertThat(client.applyWithOutcome(map("one", "1"), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.CREATED);
        assertThat(client.applyWithOutcome(map("one", "1"), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(client.applyWithOutcome(map("one", "2"), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.UPDATED);
        assertThat(server.watches(RequestMatch.watches().kind("ConfigMap"))).isZero();
        assertThat(server.requests().count(RequestMatch.verbs("patch").kind("ConfigMap")))
                .isEqualTo(2);
    }

    @Test
    void applyWhenKindIsWatchedReadsTheCache() {
        start();
        client.apply(map("one", "1"));
        client.list(ConfigMap.class);
        long before = requests();

        assertThat(client.applyWithOutcome(map("one", "1"), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.UNCHANGED);

        assertThat(requests()).isEqualTo(before);
    }

    @Test
    void readsWhenKindIsExcludedGoToTheServer() {
        start(options -> options, options -> options.withUncached(Secret.class));
        client.create(new SecretBuilder(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("one")
                        .endMetadata()
                        .build())
                .build());

        assertThat(client.get(Secret.class, ONE)).isPresent();
        assertThat(client.list(Kind.of(Secret.class), Selection.inNamespace("default")))
                .hasSize(1);
        assertThat(client.get(Kind.of("v1", "Secret").metadata(), ONE)).isPresent();

        assertThat(reads("Secret")).isEqualTo(3);
        assertThat(server.watches(RequestMatch.watches().kind("Secret"))).isZero();
    }

    @Test
    void readWithoutPendingWritesShowsTheStateOfTheWatch() {
        start();
        client.create(map("one", "1"));
        await("delivery by the watch")
                .atMost(TIME_LIMIT)
                .until(() ->
                        client.withoutPendingWrites().get(ConfigMap.class, ONE).isPresent());
        server.faults().add(FaultRule.of(RequestMatch.verbs("watch").kind("ConfigMap"), Fault.delayEvents(TIME_LIMIT)));

        client.update(map("one", "2"));

        assertThat(client.get(ConfigMap.class, ONE).orElseThrow().getData()).containsEntry("value", "2");
        assertThat(client.withoutPendingWrites()
                        .get(ConfigMap.class, ONE)
                        .orElseThrow()
                        .getData())
                .containsEntry("value", "1");
        assertThat(client.inNamespace("default").withoutPendingWrites().list(Kind.of(ConfigMap.class), Selection.all()))
                .filteredOn(map -> map.getMetadata().getName().equals("one"))
                .singleElement()
                .satisfies(map -> assertThat(map.getData()).containsEntry("value", "1"));
        client.delete(map("one", "2"));
        assertThat(client.get(Kind.of(CONFIG_MAP).metadata(), ONE)).isEmpty();
        assertThat(client.withoutPendingWrites().get(Kind.of(CONFIG_MAP).metadata(), ONE))
                .isPresent();
    }

    @Test
    void readWhenNamespaceIsNotHeldFailsAndLiveReadsIt() {
        start(
                options -> options.withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of("kube-system"))),
                options -> options);
        client.create(map("one", "1"));

        assertThatThrownBy(() -> client.get(ConfigMap.class, ONE))
                .isInstanceOf(NotCachedException.class)
                .hasMessageContaining("default");
        assertThat(client.live().get(ConfigMap.class, ONE)).isPresent();
    }

    @Test
    void readWhenWatchOnReadIsOffFails() {
        start(options -> options.withWatchOnRead(false), options -> options);
        assertThatThrownBy(() -> client.get(ConfigMap.class, ONE))
                .isInstanceOf(NotCachedException.class)
                .hasMessageContaining("configmaps");
    }

    @Test
    void readWhenSelectorCannotBeEvaluatedFails() {
        start();
        assertThatThrownBy(() -> client.list(
                        Kind.of(ConfigMap.class), Selection.all().withFieldSelector("status.phase=Running")))
                .isInstanceOf(UnsupportedSelectorException.class)
                .hasMessageContaining("status.phase=Running");
    }

    @Test
    void readWhenKindIsNotServedFailsAtOnce() {
        start();
        KindInfo widget = new KindInfo(KindName.of("apps.example/v1", "Widget"), "widgets", true);
        client.scheme().register(widget);
        assertThatThrownBy(() -> client.get(Kind.of(widget.kind()), ONE)).isInstanceOf(KindUnavailableException.class);
    }

    @Test
    void readWhenTheServerIsSlowEndsAfterTheSyncTimeoutOrAnInterrupt() throws Exception {
        server.faults().add(FaultRule.of(RequestMatch.verbs("list", "watch").kind("ConfigMap"), Fault.stall()));
        start(options -> options.withSyncTimeout(Duration.ofMillis(300)), options -> options);
        assertThatThrownBy(() -> client.get(ConfigMap.class, ONE))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("configmaps");
        cache.close();

        start();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread reader = new Thread(() -> failure.set(catchThrowable(() -> client.get(ConfigMap.class, ONE))));
        reader.start();
        await("the reader waits").atMost(TIME_LIMIT).until(() -> reader.getState() == Thread.State.TIMED_WAITING);
        reader.interrupt();
        reader.join(TIME_LIMIT.toMillis());
        assertThat(failure.get()).isInstanceOf(RequestInterruptedException.class);
    }

    @Test
    void readWhenAForeignWriteCameBetweenShowsTheNewer() {
        start();
        client.create(map("one", "mine"));
        Client other = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        other.patch(map("one", ""), ObjectPatch.merge(Map.of("data", Map.of("value", "theirs"))));

        await("the foreign write")
                .atMost(TIME_LIMIT)
                .until(() -> client.get(ConfigMap.class, ONE)
                        .orElseThrow()
                        .getData()
                        .get("value")
                        .equals("theirs"));
    }

    @Test
    void conflictWhenTheCacheIsBehindIsOverAfterOneMoreRead() {
        start();
        client.create(map("one", "mine"));
        await("delivery by the watch")
                .atMost(TIME_LIMIT)
                .until(() ->
                        client.withoutPendingWrites().get(ConfigMap.class, ONE).isPresent());
        server.faults().add(FaultRule.of(RequestMatch.verbs("watch").kind("ConfigMap"), Fault.delayEvents(TIME_LIMIT)));
        Client other = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        other.patch(map("one", ""), ObjectPatch.merge(Map.of("data", Map.of("theirs", "1"))));
        other.create(map("two", "theirs"));
        ConfigMap stale = client.get(ConfigMap.class, ONE).orElseThrow();
        assertThat(stale.getData()).doesNotContainKey("theirs");

        assertThatThrownBy(() -> client.update(
                        new ConfigMapBuilder(stale).addToData("value", "2").build()))
                .isExactlyInstanceOf(ConflictException.class);
        ConfigMap fresh = client.get(ConfigMap.class, ONE).orElseThrow();
        client.update(new ConfigMapBuilder(fresh).addToData("value", "2").build());
        assertThat(client.get(ConfigMap.class, ONE).orElseThrow().getData())
                .containsEntry("value", "2")
                .containsEntry("theirs", "1");

        assertThat(client.get(ConfigMap.class, ObjectKey.of("default", "two"))).isEmpty();
        assertThatThrownBy(() -> client.create(map("two", "mine"))).isInstanceOf(AlreadyExistsException.class);
        assertThat(client.get(ConfigMap.class, ObjectKey.of("default", "two"))).isPresent();
    }

    @Test
    void writesWhenTheCacheDoesNotKeepAllLeaveTheRest() {
        start(
                options -> options.withKind(
                        Kind.of(CONFIG_MAP),
                        KindCacheOptions.defaults().withDropLastApplied(true).withTransform(object -> {
                            if (object.get("data") instanceof Map<?, ?> data) {
                                data.remove("large");
                            }
                        })),
                options -> options);
        String lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
        client.create(new ConfigMapBuilder(map("one", "1"))
                .addToData("large", "content")
                .addToData("old", "x")
                .editMetadata()
                .addToAnnotations(lastApplied, "{}")
                .addToFinalizers("example.com/theirs")
                .endMetadata()
                .build());
        client.get(ConfigMap.class, ONE); // from now on it is cached
        ConfigMap cached = client.get(ConfigMap.class, ONE).orElseThrow();
        assertThat(cached.getData()).doesNotContainKey("large");
        cached.getData().put("value", "2");
        client.update(cached);
        ConfigMap updated = client.createOrUpdate(map("one", ""), map -> {
                    map.getData().put("value", "3");
                    map.getData().remove("old");
                    map.getMetadata().getFinalizers().add("example.com/own");
                })
                .object();
        assertThat(updated.getData()).isEqualTo(Map.of("value", "3", "large", "content"));
        ConfigMap live = client.live().get(ConfigMap.class, ONE).orElseThrow();
        assertThat(live.getMetadata().getAnnotations()).containsOnlyKeys(lastApplied);
        assertThat(live.getMetadata().getFinalizers()).containsExactly("example.com/theirs", "example.com/own");

        live.getData().remove("large"); // was read from the server, which has it
        assertThat(client.update(live).getData()).isEqualTo(Map.of("value", "3"));
    }

    @Test
    void updateWhenTheObjectIsCachedReadsNothing() {
        start();
        client.create(map("one", "1"));
        client.get(ConfigMap.class, ONE);
        long before = requests();
        for (int i = 0; i < 3; i++) {
            ConfigMap cached = client.get(ConfigMap.class, ONE).orElseThrow();
            cached.getData().put("value", "v" + i);
            client.update(cached);
        }
        assertThat(requests() - before).isEqualTo(3);
    }
}
