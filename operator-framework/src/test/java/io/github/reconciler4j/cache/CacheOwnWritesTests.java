package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.CONFIG_MAP;
import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads include own writes at once, also while objects are transformed and namespaces change. */
@Timeout(120)
class CacheOwnWritesTests {

    private static final ObjectKey KEY = ObjectKey.of("a", "x");

    private final ServedCache served = new ServedCache();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private Client own;

    @AfterEach
    void close() {
        released.countDown();
        served.close();
    }

    private Cache start(KindCacheOptions options) {
        Cache cache = served.open(options);
        own = Client.create(served.connection, served.scheme, cache, ClientOptions.defaults());
        cache.start();
        served.names(Selection.all());
        return cache;
    }

    private void holdEvents() {
        RequestMatch watch = RequestMatch.verbs("watch").kind("configmaps");
        served.fault(FaultRule.of(watch, Fault.delayEvents(Duration.ofMinutes(5))));
    }

    @Test
    void readWhenTransformChangesLabelsShowsWhatTheServerSelects() {
        Cache cache = start(KindCacheOptions.defaults()
                .withLabelSelector("app=web")
                .withTransform(CacheOwnWritesTests::exchangeLabels));
        holdEvents();

        own.create(map("default", "web", "web"));
        own.create(map("default", "db", "db"));

        assertThat(cache.get(ConfigMap.class, ObjectKey.of("default", "web"))).isPresent();
        assertThat(cache.get(ConfigMap.class, ObjectKey.of("default", "db"))).isEmpty();
    }

    private static ConfigMap map(String namespace, String name, String app) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", app)
                .endMetadata()
                .build();
    }

    @SuppressWarnings("unchecked")
    private static void exchangeLabels(Map<String, Object> object) {
        Map<String, Object> metadata = (Map<String, Object>) object.get("metadata");
        if (metadata.get("labels") instanceof Map<?, ?> labels) {
            metadata.put("labels", Map.of("app", "web".equals(labels.get("app")) ? "db" : "web"));
        }
    }

    @Test
    void readWhenItsWatchIsJustReplacedByAnotherShowsOwnWrites() throws InterruptedException {
        Informer<ConfigMap> informer = changeWhileBusy(CachedNamespaces.allExcept(Set.of("b")));

        patch("new");

        assertThat(informer.get(KEY).map(CacheOwnWritesTests::value)).contains("new");
        released.countDown();
        until("the new watch", () -> informer.list("b").isEmpty());
        assertThat(informer.get(KEY).map(CacheOwnWritesTests::value)).contains("new");
    }

    @Test
    void readWhenItsNamespaceIsJustLeftDoesNotShowWhatWasBeforeAnOwnWrite() throws InterruptedException {
        Informer<ConfigMap> informer = changeWhileBusy(CachedNamespaces.only(Set.of("b")));

        patch("new");

        assertThat(informer.get(KEY).map(CacheOwnWritesTests::value)).contains("new");
        released.countDown();
        until("the namespace is left", () -> informer.list("a").isEmpty());
        assertThat(informer.list("b")).isNotEmpty();
    }

    @Test
    void readWhenBodiesAreMissingAndAnotherWatchBeginsWaitsForThem() throws InterruptedException {
        Cache cache = startBlocked();
        RequestMatch reads =
                RequestMatch.verbs("list", "watch").kind("configmaps").namespace("b");
        served.fault(FaultRule.of(reads, Fault.delay(Duration.ofMillis(500))));
        change(cache, CachedNamespaces.only(Set.of("b")));
        released.countDown();
        until(
                "the namespace is left",
                () -> cache.list(Kind.of(CONFIG_MAP).metadata(), Selection.inNamespace("a"))
                        .isEmpty());

        assertThat(cache.informer(ConfigMap.class).list("b")).isNotEmpty();
    }

    /** Changes namespaces while the thread of the watch is held up, so that its end has to be waited for. */
    private Informer<ConfigMap> changeWhileBusy(CachedNamespaces later) throws InterruptedException {
        served.namespace("a");
        served.namespace("b");
        Cache cache = start(KindCacheOptions.defaults().withTransform(this::block));
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        served.configMap("a", "x");
        served.configMap("b", "x");
        until("bodies", () -> informer.list("b").size() == 1);
        hold();
        change(cache, later);
        return informer;
    }

    /** Starts a cache that has read headers only, and holds the thread of the watch up. */
    private Cache startBlocked() throws InterruptedException {
        served.namespace("a");
        served.namespace("b");
        served.configMap("a", "x");
        served.configMap("b", "x");
        Cache cache = start(KindCacheOptions.defaults().withTransform(this::block));
        hold();
        return cache;
    }

    private void hold() throws InterruptedException {
        served.configMap("b", "block");
        assertThat(blocked.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void change(Cache cache, CachedNamespaces later) throws InterruptedException {
        new Thread(() -> cache.changeNamespaces(Kind.of(CONFIG_MAP), later), "changing").start();
        assertThat(stopping.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void block(Map<String, Object> object) {
        if (((Map<?, ?>) object.get("metadata")).get("name").equals("block") && released.getCount() > 0) {
            blocked.countDown();
            awaitReleased();
        }
    }

    /** Continues when released; an interrupt means that the watch has to end. */
    private void awaitReleased() {
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
                stopping.countDown();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void patch(String value) {
        own.patch(
                Kind.of(ConfigMap.class),
                KEY,
                ObjectPatch.merge(Map.of("data", Map.of("key", value))),
                WriteOptions.defaults());
    }

    private static String value(ObjectSnapshot<ConfigMap> object) {
        return object.object().getData().get("key");
    }
}
