package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to objects on their way into the cache, and how often they are decoded. */
class CacheTransformTests {

    private static final ObjectKey KEY = ObjectKey.of("default", "a");

    private final ServedCache served = new ServedCache();

    @AfterEach
    void close() {
        served.close();
    }

    private Cache start(ObjectTransform transform) {
        Cache cache = served.open(KindCacheOptions.defaults().withTransform(transform));
        cache.start();
        return cache;
    }

    private static String value(Cache cache, String key) {
        return cache.get(ConfigMap.class, KEY)
                .map(map -> map.getData().get(key))
                .orElse(null);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> object, String name) {
        return (Map<String, Object>) object.get(name);
    }

    @Test
    void transformAppliesToNewAndChangedObjects() {
        served.configMap("default", "a");
        Cache cache = start(object -> part(object, "data").put("added", "yes"));
        assertThat(value(cache, "added")).isEqualTo("yes");
        assertThat(value(cache, "key")).isEqualTo("a");

        served.client.patch(
                Kind.of(ConfigMap.class),
                KEY,
                ObjectPatch.merge(Map.of("data", Map.of("key", "b"))),
                WriteOptions.defaults());

        until("change", () -> "b".equals(value(cache, "key")));
        assertThat(value(cache, "added")).isEqualTo("yes");
    }

    @Test
    void transformWhenItFailsOrChangesTheNameStoresTheOriginalObject() {
        served.configMap("default", "a");
        AtomicInteger calls = new AtomicInteger();
        Cache cache = start(object -> {
            if (part(object, "metadata").get("name").equals("a") && calls.getAndIncrement() == 0) {
                part(object, "metadata").put("name", "other");
                part(object, "data").clear();
            } else {
                throw new IllegalArgumentException("content");
            }
        });
        assertThat(value(cache, "key")).isEqualTo("a");
        assertThat(cache.get(ConfigMap.class, ObjectKey.of("default", "other"))).isEmpty();

        served.configMap("default", "b");
        until(
                "b",
                () -> cache.get(ConfigMap.class, ObjectKey.of("default", "b")).isPresent());
    }

    @Test
    void indexFunctionsShareOneDecodedObject() {
        served.configMap("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        ConfigMap[] seen = new ConfigMap[2];
        for (int i = 0; i < seen.length; i++) {
            int index = i;
            informer.addIndex("index" + i, map -> {
                if (map.key().equals(KEY)) {
                    seen[index] = map.object();
                }
                return java.util.List.of();
            });
        }
        cache.start();
        assertThat(value(cache, "key")).isEqualTo("a");
        assertThat(seen[0]).isNotNull().isSameAs(seen[1]);
    }

    @Test
    void eventsWhenTwoListenToThemHaveObjectsOfTheirOwn() throws InterruptedException {
        served.configMap("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        ConfigMap[] seen = new ConfigMap[3];
        Subscription one = informer.subscribe("one", event -> {
            if (event.snapshot().key().equals(KEY)) {
                seen[0] = event.snapshot().object();
                seen[1] = event.snapshot().object();
            }
        });
        Subscription two = informer.subscribe("two", event -> {
            if (event.snapshot().key().equals(KEY)) {
                seen[2] = event.snapshot().object();
            }
        });
        cache.start();
        one.awaitInitial(LONG);
        two.awaitInitial(LONG);
        assertThat(seen[0]).isNotNull().isSameAs(seen[1]).isNotSameAs(seen[2]).isEqualTo(seen[2]);
    }

    @Test
    void kindsReportSizesAndTheLastFailure() {
        served.configMap("default", "a");
        Cache cache = start(object -> {});
        value(cache, "key");
        KindStatus status = cache.kinds().get(0);

        assertThat(status.synced()).isTrue();
        assertThat(status.content().bodyBytes()).isPositive();
        assertThat(status.content().headerBytes()).isPositive();
        assertThat(status.content().undecodableObjects()).isZero();
        assertThat(status.activity().since()).isPresent();
        assertThat(status.activity().lastError()).isEmpty();

        until("one watch", () -> served.watches() == 1);
        served.server.cutConnections();
        until("error", () -> !cache.kinds().get(0).activity().lastError().isEmpty());
        until("recovered", () -> cache.kinds().get(0).failure().isEmpty());
        assertThat(cache.kinds().get(0).activity().lastErrorAt()).isPresent();
    }
}
