package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.OwnWrites;
import io.github.reconciler4j.builder.Owned;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A controller that ignores its own writes of owned objects. */
@AnyKubernetesTest
class OwnWritesIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int OWNERS = 50;

    private final String namespace;
    private final ApiConnection connection;
    private final Client admin;
    private final Manager manager;
    private final AtomicInteger runs = new AtomicInteger();
    private final Set<String> withLabel = ConcurrentHashMap.newKeySet();

    /** What happens between the decision to apply and the request. */
    private volatile Runnable beforeNextApply = () -> {};

    OwnWritesIntegrationTests(AnyKubernetes kubernetes) {
        namespace = kubernetes.createNamespace("own-writes");
        connection = ApiConnection.open(kubernetes.config());
        admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults()
                        .withName("own-writes")
                        .withoutLeaderElection()
                        .withCache(CacheOptions.defaults()
                                .withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of(namespace))))
                        .withClient(ClientOptions.defaults().withInterceptors(List.of((call, next) -> {
                            if (call.verb() == Verb.APPLY) {
                                Runnable once = beforeNextApply;
                                beforeNextApply = () -> {};
                                once.run();
                            }
                            return next.proceed(call);
                        }))));
        ControllerBuilder.of(ConfigMap.class)
                .named("own-writes")
                .withLabelSelector("own=writes")
                .owns(Owned.of(Secret.class).ownWrites(OwnWrites.IGNORE))
                .reconciler(this::reconcile)
                .addTo(manager);
        manager.start();
    }

    @AfterEach
    void stop() {
        manager.close();
        connection.close();
    }

    private Result reconcile(ConfigMap owner, ReconcileContext context) {
        runs.incrementAndGet();
        String name = owner.getMetadata().getName();
        context.client()
                .get(Secret.class, ObjectKey.of(namespace, name))
                .filter(now -> now.getMetadata().getLabels() != null)
                .ifPresent(now -> withLabel.add(name));
        Secret wanted = secret(name);
        wanted.setStringData(Map.of("value", owner.getData().get("value")));
        OwnerReferences.setController(wanted, owner);
        context.client().apply(wanted);
        return Result.done();
    }

    private Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    private void owner(String name, String value) {
        admin.apply(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("own", "writes")
                .endMetadata()
                .addToData("value", value)
                .build());
    }

    private void label(String name) {
        admin.patch(secret(name), ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("foreign", "1")))));
    }

    private void awaitSecrets(List<String> names, String base64) {
        await().atMost(TIMEOUT)
                .until(() -> names.stream()
                        .allMatch(name -> manager.cache()
                                .get(Secret.class, ObjectKey.of(namespace, name))
                                .filter(now -> base64.equals(now.getData().get("value")))
                                .isPresent()));
    }

    @Test
    void updatesOfOthersAreDeliveredAndOwnOnesDropped() {
        List<String> names =
                IntStream.range(0, OWNERS).mapToObj(i -> "app-" + i).toList();
        names.forEach(name -> owner(name, "one"));
        awaitSecrets(names, "b25l");
        for (int change = 0; change < 5; change++) {
            String value = change % 2 == 0 ? "two" : "one";
            names.forEach(name -> owner(name, value));
            awaitSecrets(names, value.equals("two") ? "dHdv" : "b25l");
        }
        names.forEach(this::label);
        await().atMost(TIMEOUT).until(() -> withLabel.size() == OWNERS);
        assertThat(runs)
                .as("creations of owner and Secret, five changes and the label, but no own update")
                .hasValueLessThanOrEqualTo(OWNERS * 8);
    }

    @Test
    void updateThatMakesAnApplySuperfluousIsDelivered() {
        owner("app", "one");
        awaitSecrets(List.of("app"), "b25l");
        beforeNextApply = () -> {
            admin.patch(secret("app"), ObjectPatch.merge(Map.of("data", Map.of("value", "dHdv"))));
            label("app");
        };
        owner("app", "two");
        await().atMost(TIMEOUT).until(() -> withLabel.contains("app"));
    }

    @Test
    void applyOfAnObjectThatWasDeletedMeanwhileCreatesIt() {
        owner("app", "one");
        awaitSecrets(List.of("app"), "b25l");
        beforeNextApply = () -> admin.delete(secret("app"));
        owner("app", "two");
        await().atMost(TIMEOUT)
                .until(() -> admin.get(Secret.class, ObjectKey.of(namespace, "app"))
                        .filter(now -> "dHdv".equals(now.getData().get("value")))
                        .isPresent());
        awaitSecrets(List.of("app"), "dHdv");
    }
}
