package io.github.reconciler4j.cache;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cache on a server inside the JVM, and a client that the cache does not know of. */
final class ServedCache implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(60);
    static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");

    final KubernetesServer server = KubernetesServer.start();
    final Scheme scheme = Scheme.create();
    final ApiConnection connection = ApiConnection.open(server.clientConfig());
    final Client client = Client.create(connection, scheme, ClientOptions.defaults());
    final List<String> delivered = new CopyOnWriteArrayList<>();
    private Cache cache;

    Cache open(KindCacheOptions configMaps) {
        return open(CacheOptions.defaults().withKind(Kind.of(CONFIG_MAP), configMaps));
    }

    Cache open(CacheOptions options) {
        scheme.kindOf(ConfigMap.class); // now it can be named without its class
        WatchOptions watch = options.watch().withBackoff(Duration.ofMillis(20), Duration.ofMillis(200));
        cache = Cache.create(connection, scheme, options.withSyncTimeout(LONG).withWatch(watch));
        return cache;
    }

    void namespace(String name, String... labels) {
        client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels.length == 0 ? Map.of() : Map.of(labels[0], labels[1]))
                .endMetadata()
                .build());
    }

    ConfigMap configMap(String namespace, String name, String... labels) {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels.length == 0 ? Map.of() : Map.of(labels[0], labels[1]))
                .endMetadata()
                .addToData("key", name)
                .build());
    }

    void delete(String namespace, String name) {
        client.delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, name), DeletionOptions.defaults());
    }

    /** What the cache has, by names. */
    List<String> names(Selection options) {
        return cache.list(Kind.of(CONFIG_MAP).metadata(), options).stream()
                .map(header -> header.key().toString())
                .toList();
    }

    ActiveFault fault(FaultRule rule) {
        return server.faults().add(rule);
    }

    int watches() {
        return server.watches(RequestMatch.watches().kind("configmaps"));
    }

    void deliver(ObjectEvent<ConfigMap> event) {
        String lost = event instanceof ObjectEvent.Deleted<ConfigMap> deleted && deleted.finalStateUnknown() ? "?" : "";
        delivered.add(
                event.getClass().getSimpleName() + lost + " " + event.snapshot().key());
    }

    static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(LONG).until(condition);
    }

    @Override
    public void close() {
        if (cache != null) {
            cache.close();
        }
        connection.close();
        server.close();
    }
}
