package io.github.reconciler4j.brake;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The API server in this JVM, a namespace, and a manager whose brake counts all deletions of controllers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrakeFixture {

    static final String CONTROLLER = "web";
    static final ObjectKey LEASE = ObjectKey.of("default", "web-brake");

    KubernetesServer server;
    ApiConnection connection;

    /** A client outside of controllers. */
    Client user;

    RecordingMetrics metrics;
    Manager manager;
    String namespace;
    private int number;

    @BeforeAll
    void startServer() {
        server =
                KubernetesServer.builder().https(false).garbageCollection(false).start();
        connection = ApiConnection.open(server.clientConfig());
        user = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @AfterAll
    void stopServer() {
        connection.close();
        server.close();
    }

    @BeforeEach
    void start() {
        namespace = "brake-" + ++number;
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        restart(options());
    }

    @AfterEach
    void stop() {
        manager.close();
        for (ConfigMap left : user.live().list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))) {
            left.getMetadata().setFinalizers(null);
            user.update(left);
        }
        user.deleteAll(Kind.of(ConfigMap.class), Selection.inNamespace(namespace), DeletionOptions.defaults());
        new StopLease(connection, LEASE).write(CONTROLLER, null);
    }

    BrakeOptions options() {
        return BrakeOptions.defaults().withCoverage(BrakeOptions.Coverage.ALL).withLease(LEASE);
    }

    void restart(BrakeOptions options) {
        restart(options, CacheOptions.defaults());
    }

    void restart(BrakeOptions options, CacheOptions cache) {
        if (manager != null) {
            manager.close();
        }
        metrics = new RecordingMetrics();
        manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withName("brake")
                        .withMetrics(metrics)
                        .withCache(cache)
                        .withExtension(options));
        manager.cache().informer(ConfigMap.class);
        manager.start();
    }

    Brake brake() {
        return Brake.of(manager);
    }

    /** Run a task as the worker of a controller does. */
    void work(Runnable task) {
        WorkScope.in(CONTROLLER, CONTROLLER, task).run();
    }

    ConfigMapBuilder map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(Map.of("app", "web"))
                .endMetadata();
    }

    ConfigMap create(String name) {
        return user.create(map(name).build());
    }

    ConfigMap createChild(Client client, String name, ConfigMap owner) {
        return client.create(map(name)
                .editMetadata()
                .addToOwnerReferences(reference(owner))
                .endMetadata()
                .build());
    }

    static OwnerReference reference(ConfigMap owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .build();
    }

    void createAll(int count) {
        for (int each = 0; each < count; each++) {
            create("map-" + each);
        }
        awaitCached(count);
    }

    void awaitCached(int count) {
        await("the cache has all")
                .atMost(Duration.ofSeconds(60))
                .until(() -> manager.cache()
                                .list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))
                                .size()
                        == count);
    }

    void delete(String name) {
        manager.client().delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, name), DeletionOptions.defaults());
    }

    /** Delete until the brake refuses; return how many deletions passed. */
    int deleteUntilRefused(int count) {
        int[] deleted = {0};
        work(() -> {
            try {
                for (int each = 0; each < count; each++) {
                    delete("map-" + each);
                    deleted[0]++;
                }
            } catch (BrakeException e) {
                // as many as it allowed
            }
        });
        return deleted[0];
    }

    int left() {
        return user.live()
                .list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))
                .size();
    }
}
