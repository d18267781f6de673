package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In whose name an operator writes. */
class FieldManagerTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private final KubernetesServer server = KubernetesServer.start();
    private Manager manager;

    private void start(UnaryOperator<ClientOptions> client) {
        manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults().withName("shop").withClient(client.apply(ClientOptions.defaults())));
        addController("left");
        addController("right");
        manager.start();
        manager.client().create(map("trigger", "none"));
    }

    /** A controller that applies its own key to the result of the trigger. */
    private void addController(String name) {
        ControllerBuilder.of(ConfigMap.class)
                .named(name)
                .withGlobalPredicate(
                        EventPredicates.header(header -> header.key().name().equals("trigger")))
                .requestReconciler((request, context) -> {
                    apply(name, request);
                    return Result.done();
                })
                .addTo(manager);
    }

    private void apply(String name, Request request) {
        assertThat(request.name()).isEqualTo("trigger");
        manager.client().applyWithOutcome(map("result", name), ApplyOptions.defaults());
        Runnable inherited = WorkScope.inherit(
                () -> manager.client().applyUnconditionally(map("inherited-" + name, name), ApplyOptions.defaults()));
        CompletableFuture.runAsync(inherited).join();
        CompletableFuture.runAsync(() ->
                        manager.client().applyUnconditionally(map("other-" + name, name), ApplyOptions.defaults()))
                .join();
    }

    private static ConfigMap map(String name, String key) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withData(Map.of(key, "1"))
                .build();
    }

    private void awaitOwners(String name, String... owners) {
        await("owners of " + name)
                .atMost(TIME_LIMIT)
                .ignoreException(NoSuchElementException.class)
                .untilAsserted(() -> assertThat(manager.client()
                                .live()
                                .get(ConfigMap.class, ObjectKey.of("default", name))
                                .orElseThrow()
                                .getMetadata()
                                .getManagedFields())
                        .extracting(ManagedFieldsEntry::getManager)
                        .containsExactlyInAnyOrder(owners));
    }

    @AfterEach
    void stop() {
        manager.close();
        server.close();
    }

    @Test
    void controllersWhenNothingIsSetWriteWithTheirNames() {
        start(options -> options);

        awaitOwners("trigger", "shop");
        awaitOwners("result", "left", "right");
        awaitOwners("inherited-left", "left");
        awaitOwners("other-left", "shop");
    }

    @Test
    void controllersWhenTheClientHasAFieldManagerWriteWithIt() {
        start(options -> options.withFieldManager("chosen"));

        awaitOwners("inherited-right", "chosen");
        awaitOwners("trigger", "chosen");
    }

    @Test
    void callAndDerivedClientWhenTheyNameAFieldManagerPrecedeTheController() {
        start(options -> options);
        WorkScope.in("operator", "x".repeat(200), () -> {
                    manager.client().create(map("long", "a"));
                    manager.client().withFieldManager("derived").create(map("derived", "a"));
                    manager.client()
                            .create(map("call", "a"), WriteOptions.defaults().withFieldManager("call"));
                })
                .run();

        awaitOwners("long", "x".repeat(128));
        awaitOwners("derived", "derived");
        awaitOwners("call", "call");
        assertThat(WorkScope.fieldManager()).isEmpty();
        assertThatThrownBy(() -> manager.client().withFieldManager(" ")).isInstanceOf(IllegalArgumentException.class);
    }
}
