package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.CuttableProxy;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is set back to before own writes; subclasses say which server. */
@Timeout(400)
abstract class RestoredServerPromises {

    private static final Duration LONG = Duration.ofSeconds(120);
    private static final int LATER_WRITES = 60;

    private final Scheme scheme = Scheme.create();
    private String namespace;
    private ApiConnection direct;
    private Client own;
    private CuttableProxy network;
    private ApiConnection connection;
    private Cache cache;

    /** The configuration of a user with all permissions. */
    abstract Config config();

    /** Makes a namespace of the test's own and returns its name. */
    abstract String createNamespace();

    /** Keeps what the server has now. */
    abstract void backUp();

    /** Restore the server from the backup, with the versions of that time. */
    abstract void restore();

    @BeforeEach
    void open() throws IOException, InterruptedException {
        direct = ApiConnection.open(config());
        direct.awaitServer(LONG);
        namespace = createNamespace();
        network = new CuttableProxy(URI.create(config().getMasterUrl()).getPort());
        Config through = config();
        through.setMasterUrl("https://" + URI.create(through.getMasterUrl()).getHost() + ":" + network.port() + "/");
        connection = ApiConnection.open(through);
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofMillis(50), Duration.ofMillis(500))
                .withIdleTimeout(Duration.ofSeconds(3))
                .withLifetime(Duration.ofSeconds(3), Duration.ofSeconds(3));
        cache = Cache.create(
                connection,
                scheme,
                CacheOptions.defaults().withSyncTimeout(LONG).withWatch(watch));
        own = Client.create(direct, scheme, cache, ClientOptions.defaults());
    }

    @AfterEach
    void close() throws IOException {
        cache.close();
        connection.close();
        direct.close();
        network.close();
    }

    private void put(String name, String value) {
        own.createOrUpdate(
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build(),
                map -> map.setData(Map.of("key", value)));
    }

    private Map<String, String> cached() {
        Map<String, String> values = new TreeMap<>();
        for (ConfigMap map : cache.list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))) {
            values.put(map.getMetadata().getName(), map.getData().get("key"));
        }
        return values;
    }

    private void awaitCached(Map<String, String> expected) {
        await("content of the cache")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(cached()).isEqualTo(expected));
    }

    @Test
    void cacheWhenServerIsSetBackForgetsOwnWritesThatNeverWere() {
        cache.start();
        put("changed", "before");
        put("gone", "before");
        awaitCached(Map.of("changed", "before", "gone", "before"));
        backUp();
        for (int i = 0; i < LATER_WRITES; i++) {
            put("changed", "later " + i); // the watch is past the backup then
        }
        await("the watch has delivered that")
                .atMost(LONG)
                .until(() -> cache.watched()
                        .get(ConfigMap.class, ObjectKey.of(namespace, "changed"))
                        .orElseThrow()
                        .getData()
                        .containsValue("later " + (LATER_WRITES - 1)));
        network.cut();
        put("changed", "after");
        put("made", "after");
        own.delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, "gone"), DeletionOptions.defaults());
        assertThat(cached()).isEqualTo(Map.of("changed", "after", "made", "after"));

        restore();
        network.restore();

        awaitCached(Map.of("changed", "before", "gone", "before"));
        put("changed", "again");
        assertThat(cached()).isEqualTo(Map.of("changed", "again", "gone", "before"));
    }
}
