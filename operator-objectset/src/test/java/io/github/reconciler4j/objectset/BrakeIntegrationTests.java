package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.github.reconciler4j.brake.Brake;
import io.github.reconciler4j.brake.BrakeOptions;
import io.github.reconciler4j.brake.DeletionStop;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A label of all owners flips, so that their sets lose a child: the brake stops the deletions until a person releases them. */
@Timeout(300)
@AnyKubernetesTest
class BrakeIntegrationTests {

    private static final int OWNERS = 24;
    private static final int LIMIT = 12;
    private static final String WANTED = "wanted";

    private final AnyKubernetes kubernetes;
    private final ApiConnection connection;
    private final Client client;
    private final String namespace;
    private final Map<String, List<Condition>> conditions = new ConcurrentHashMap<>();
    private Manager manager;
    private ObjectSets sets;

    BrakeIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        connection = ApiConnection.open(kubernetes.config());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        namespace = kubernetes.createNamespace("brake");
        start();
    }

    @AfterEach
    void stop() {
        manager.close();
        connection.close();
    }

    private void start() {
        manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults()
                        .withName("brake-it")
                        .withExtension(BrakeOptions.defaults().withLease(ObjectKey.of(namespace, "brake"))));
        sets = ObjectSets.create(manager);
        ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().startsWith("owner-")))
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(4))
                .finalizer("brake.example.com/" + namespace)
                .owns(Secret.class)
                .reconciler(new Owners())
                .addTo(manager);
        manager.start();
    }

    private final class Owners implements ObjectReconciler<ConfigMap>, Cleaner<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap owner, ReconcileContext context) {
            ObjectSetResult result = sets.reconcile(set(owner));
            List<Condition> reported = new ArrayList<>();
            result.report(Conditions.of(reported, owner));
            conditions.put(owner.getMetadata().getName(), reported);
            return result.toResult();
        }

        @Override
        public CleanupResult cleanup(ConfigMap owner, ReconcileContext context) {
            return sets.delete(set(owner)).toCleanupResult();
        }
    }

    private static ObjectSet set(ConfigMap owner) {
        boolean wanted = "yes".equals(owner.getMetadata().getLabels().get(WANTED));
        return ObjectSet.ownedBy(owner)
                .when(
                        wanted,
                        s -> s.apply(new SecretBuilder()
                                .withNewMetadata()
                                .withName(owner.getMetadata().getName())
                                .endMetadata()
                                .build()));
    }

    private void createOwners() {
        IntStream.range(0, OWNERS)
                .forEach(each -> client.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("owner-" + each)
                        .addToLabels(WANTED, "yes")
                        .endMetadata()
                        .build()));
        until("all children are there", () -> secrets() == OWNERS);
        until(
                "the cache has all",
                () -> manager.cache()
                                .list(Kind.of(Secret.class).metadata(), Selection.inNamespace(namespace))
                                .size()
                        == OWNERS);
    }

    private void label(int owner, String value) {
        ConfigMap map =
                client.live().get(ConfigMap.class, namespace, "owner-" + owner).orElseThrow();
        client.edit(map, changed -> changed.getMetadata().setLabels(Map.of(WANTED, value)));
    }

    private long secrets() {
        return client.live().list(Kind.of(Secret.class), Selection.inNamespace(namespace)).stream()
                .filter(secret -> secret.getMetadata().getName().startsWith("owner-"))
                .count();
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(Duration.ofSeconds(90)).until(condition);
    }

    private Brake brake() {
        return Brake.of(manager);
    }

    /** What {@code kubectl annotate lease brake brake.reconciler4j.io/owners-} does. */
    private void removeAnnotation() {
        Lease lease = client.live().get(Lease.class, namespace, "brake").orElseThrow();
        client.edit(lease, changed -> {
            Map<String, String> left = new HashMap<>(changed.getMetadata().getAnnotations());
            assertThat(left.remove("brake.reconciler4j.io/owners")).contains("12 of 24 Secret objects deleted");
            changed.getMetadata().setAnnotations(left);
        });
    }

    @Test
    void flippedLabelStopsAtTheLimitUntilAPersonReleasesIt() {
        createOwners();
        IntStream.range(0, OWNERS).forEach(owner -> label(owner, "no"));
        until("it stops", () -> brake().stops().stream().anyMatch(DeletionStop::persisted));
        until("the others are refused", () -> stopped() == OWNERS - LIMIT);
        assertThat(secrets()).isEqualTo(OWNERS - LIMIT);
        until("there is an event about an owner", this::hasEvent);

        manager.close();
        conditions.clear();
        start();
        until("the stop survives the restart", () -> stopped() == OWNERS - LIMIT);
        assertThat(secrets()).isEqualTo(OWNERS - LIMIT);

        removeAnnotation();
        until("it is released", () -> {
            label(0, "no-" + System.nanoTime()); // reconciles one that has nothing to delete
            IntStream.range(0, OWNERS).forEach(owner -> label(owner, "no-" + System.nanoTime()));
            return brake().stops().isEmpty();
        });
        until("all is deleted", () -> secrets() == 0);
        until("no condition is left", () -> stopped() == 0);
    }

    private long stopped() {
        return conditions.values().stream()
                .filter(each -> each.stream()
                        .anyMatch(condition -> condition.getType().equals("Stalled")
                                && condition.getReason().equals("DeletionsStopped")
                                && condition.getMessage().contains("R4J-811")))
                .count();
    }

    private boolean hasEvent() {
        return client.live().list(Kind.of(Event.class), Selection.inNamespace(namespace)).stream()
                .anyMatch(event -> "DeletionsStopped".equals(event.getReason())
                        && event.getRegarding().getName().startsWith("owner-"));
    }

    @Test
    void ownersThatAreDeletedTogetherAreNoAccident() {
        createOwners();
        client.deleteAll(
                Kind.of(ConfigMap.class),
                Selection.inNamespace(namespace).withLabelSelector(WANTED + "=yes"),
                DeletionOptions.defaults());

        until("all is deleted", () -> secrets() == 0);
        assertThat(brake().stops()).isEmpty();
    }

    @Test
    void deletedNamespaceIsNoAccident() {
        createOwners();
        client.delete(Kind.of(Namespace.class), ObjectKey.ofName(namespace), DeletionOptions.defaults());

        until(
                "all is deleted",
                () -> secrets() == 0
                        && client.live()
                                .list(
                                        Kind.of(ConfigMap.class),
                                        Selection.inNamespace(namespace).withLabelSelector(WANTED + "=yes"))
                                .isEmpty());
        assertThat(brake().stops()).isEmpty();
    }
}
