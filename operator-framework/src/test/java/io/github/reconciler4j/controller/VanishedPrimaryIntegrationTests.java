package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects that are deleted while they are reconciled. */
@AnyKubernetesTest
class VanishedPrimaryIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final Manager admin;
    private final CapturedLog log = CapturedLog.of("io.github.reconciler4j.controller");
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();

    VanishedPrimaryIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        namespace = kubernetes.createNamespace("vanished");
        admin = Manager.create(kubernetes.config());
    }

    @AfterEach
    void close() {
        admin.close();
        log.close();
    }

    private Controller<Request> run(Manager manager, ObjectReconciler<ConfigMap> reconciler) {
        Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                .named("vanishing")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().equals("a")))
                .reconciler((map, context) -> {
                    try {
                        return reconciler.reconcile(map, context);
                    } catch (RuntimeException e) {
                        thrown.set(e);
                        throw e;
                    }
                })
                .errorStatusHandler((map, error, context) -> {
                    throw new AssertionError("there is no failure to report");
                })
                .addTo(manager);
        manager.client().create(configMap(namespace, "value"));
        manager.start();
        return controller;
    }

    private void delete() {
        kubernetes.with(client ->
                client.configMaps().inNamespace(namespace).withName("a").delete());
    }

    private void until(String what, BooleanSupplier condition) {
        await(what).atMost(TIMEOUT).until(condition::getAsBoolean);
    }

    private static boolean isIdle(Controller<Request> controller) {
        return controller
                .operations()
                .queue()
                .filter(queue -> queue.running() == 0)
                .isPresent();
    }

    private void assertNoFailure(Controller<Request> controller) {
        until("it is done", () -> thrown.get() != null && isIdle(controller));
        assertThat(controller.operations().failingCount()).isZero();
        assertThat(log.lines(Level.WARN)).isEmpty();
    }

    @Test
    void notFoundWhenThePrimaryIsGoneIsNoFailure() {
        Controller<Request> controller = run(admin, (map, context) -> {
            delete();
            admin.client().edit(map, changed -> changed.setData(Map.of("key", "other")));
            return Result.done();
        });
        assertNoFailure(controller);
        assertThat(thrown.get()).isInstanceOf(NotFoundException.class);
    }

    @Test
    void notFoundWhenThePrimaryExistsIsAFailure() {
        Secret none = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("none")
                .endMetadata()
                .build();
        Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                .named("vanishing")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().equals("a")))
                .reconciler((map, context) -> {
                    admin.client().edit(none, changed -> changed.setData(Map.of("key", "b3RoZXI=")));
                    return Result.done();
                })
                .addTo(admin);
        admin.client().create(configMap(namespace, "value"));
        admin.start();
        until("it fails", () -> controller.operations().failingCount() == 1);
        assertThat(catchThrowable(() -> admin.client().edit(none, changed -> changed.setData(Map.of("a", "b3RoZXI=")))))
                .isInstanceOf(NotFoundException.class);
    }

    private static ConfigMap configMap(String namespace, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("a")
                .endMetadata()
                .addToData("key", value)
                .build();
    }

    /** A service account that may patch ConfigMaps of the namespace, and may not create them. */
    private Config patchingUser() {
        kubernetes.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: vanishing, namespace: %1$s}
                rules:
                - {apiGroups: [""], resources: [configmaps], verbs: [list, watch, patch]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: vanishing, namespace: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: vanishing}
                subjects: [{kind: ServiceAccount, name: operator, namespace: %1$s}]
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: operator, namespace: %1$s}
                """.formatted(namespace));
        return kubernetes.serviceAccountConfig(namespace, "operator");
    }

    /** The server answers 403 to an apply of an object that is gone if the user may patch, and may not create. */
    @Test
    void forbiddenApplyWhenThePrimaryIsGoneIsNoFailure() {
        admin.client().create(configMap(namespace, "value"));
        KindCacheOptions here = KindCacheOptions.defaults().withNamespaces(CachedNamespaces.only(Set.of(namespace)));
        ManagerOptions options =
                ManagerOptions.defaults().withCache(CacheOptions.defaults().withKindDefaults(here));
        try (Manager manager = Manager.create(patchingUser(), options)) {
            Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                    .named("vanishing")
                    .inNamespaces(namespace)
                    .when(EventPredicates.header(header -> header.key().name().equals("a")))
                    .reconciler((map, context) -> {
                        delete();
                        try {
                            manager.client().apply(configMap(namespace, "other"));
                            return Result.done();
                        } catch (RuntimeException e) {
                            thrown.set(e);
                            throw e;
                        }
                    })
                    .addTo(manager);
            manager.start();
            assertNoFailure(controller);
            assertThat(thrown.get()).isInstanceOf(ForbiddenException.class);
        }
    }

    @Test
    void conflictWhenThePrimaryIsGoneFromTheCacheIsNoFailure() {
        Controller<Request> controller = run(admin, (map, context) -> {
            admin.client().delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, "a"), DeletionOptions.defaults());
            throw new ConflictException("thrown by the test", ErrorDetails.of(409, "Conflict"));
        });
        assertNoFailure(controller);
    }
}
