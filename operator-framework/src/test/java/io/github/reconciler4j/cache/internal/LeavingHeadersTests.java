package io.github.reconciler4j.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A namespace leaves the cache while its objects are known by their metadata only. A read of whole objects at any moment of that
 * waits, or finds nothing of them.
 */
class LeavingHeadersTests {

    private static final Kind<ConfigMap> CONFIG_MAPS = Kind.of(ConfigMap.class);

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Scheme scheme = Scheme.create();
    private final Client client = Client.create(connection, scheme, ClientOptions.defaults());
    private final LookingTime time = new LookingTime();

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    /** One of eight changes of an object is looked at by the time, see {@link BusyObjects}; the eighth comes with each number. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void listWhenANamespaceLeavesDoesNotTakeItsMetadataForObjects(int updates) {
        namespace("stays");
        namespace("leaves");
        client.create(configMap(0));
        CachedNamespaces both = CachedNamespaces.only(Set.of("stays", "leaves"));
        CacheOptions options = CacheOptions.defaults()
                .withSyncTimeout(Duration.ofMillis(1))
                .withKind(CONFIG_MAPS, KindCacheOptions.defaults().withNamespaces(both));
        try (DefaultCache cache = new DefaultCache(scheme, CacheContext.create(connection, options, time))) {
            knowMetadata(cache, updates);
            time.look(() -> cache.list(CONFIG_MAPS, Selection.all()));
            cache.changeNamespaces(CONFIG_MAPS, CachedNamespaces.only(Set.of("stays")));
            time.look(null);
            assertThat(time.seen).isNotEmpty().allMatch(seen -> seen.equals("[]") || seen.equals("waits"));
            assertThat(cache.list(CONFIG_MAPS, Selection.all())).isEmpty();
        }
    }

    /** The metadata of the object is known after some updates, its body is wanted and does not come. */
    private void knowMetadata(DefaultCache cache, int updates) {
        Informer<ObjectHeader> headers = cache.informer(CONFIG_MAPS.metadata());
        AtomicInteger events = new AtomicInteger();
        headers.subscribe("headers", event -> events.incrementAndGet());
        cache.start();
        for (int i = 0; i <= updates; i++) {
            int expected = i + 1;
            await("event " + expected).until(() -> events.get() == expected);
            if (i < updates) {
                client.update(configMap(expected));
            }
        }
        server.faults().add(FaultRule.of(RequestMatch.any().namespace("leaves"), Fault.unavailable()));
        assertThatThrownBy(() -> cache.list(CONFIG_MAPS, Selection.all()))
                .as("a read without the body")
                .isInstanceOf(CacheSyncTimeoutException.class);
        await("bodies of the namespace that stays").ignoreExceptions().until(() -> isListable(cache));
    }

    private void namespace(String name) {
        client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
    }

    private static ConfigMap configMap(int value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("leaves")
                .withName("c")
                .endMetadata()
                .addToData("key", String.valueOf(value))
                .build();
    }

    private static boolean isListable(DefaultCache cache) {
        return cache.list(CONFIG_MAPS, Selection.all().withNamespace("stays")).isEmpty();
    }

    /** Reads whenever the thread that changes namespaces looks at the time. */
    private static final class LookingTime implements TimeSource {

        private final Thread thread = Thread.currentThread();
        private final List<String> seen = new ArrayList<>();
        private @Nullable Reading reading;

        private interface Reading {
            List<?> read();
        }

        void look(@Nullable Reading wanted) {
            reading = wanted;
        }

        @Override
        public long nanoTime() {
            Reading now = Thread.currentThread() == thread ? reading : null;
            if (now != null) {
                reading = null; // a read looks at the time, too
                seen.add(result(now));
                reading = now;
            }
            return TimeSource.system().nanoTime();
        }

        private static String result(Reading reading) {
            try {
                return String.valueOf(reading.read());
            } catch (CacheSyncTimeoutException e) {
                return "waits";
            } catch (RuntimeException e) {
                return String.valueOf(e);
            }
        }

        @Override
        public Instant instant() {
            return TimeSource.system().instant();
        }
    }
}
