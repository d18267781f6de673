package io.github.reconciler4j.plan;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.objectset.ObjectSets;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The API server in this JVM, and operators whose primary kind are ConfigMaps with a label. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlanFixture {

    static final Duration LIMIT = Duration.ofMinutes(1);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    KubernetesServer server;
    ApiConnection connection;
    Client client;
    String namespace;

    /** What a version of the operator does for an owner. */
    @FunctionalInterface
    interface Work {
        Result reconcile(ConfigMap owner, Client client, ObjectSets sets) throws Exception;
    }

    @BeforeAll
    void start() {
        server =
                KubernetesServer.builder().https(false).garbageCollection(false).start();
        connection = ApiConnection.open(server.clientConfig());
        client = Client.create(
                connection, Scheme.create(), ClientOptions.defaults().withFieldManager("owners"));
    }

    @AfterAll
    void stop() {
        connection.close();
        server.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = "plan-" + NUMBER.incrementAndGet();
        client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
    }

    ConfigMap owner(String name) {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("owner", namespace)
                .endMetadata()
                .build());
    }

    ConfigMap child(HasMetadata owner, String name, String value) {
        ConfigMap child = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("owner", "none")
                .endMetadata()
                .withData(Map.of("value", value))
                .build();
        OwnerReferences.setController(child, owner);
        return child;
    }

    Deployment deployment(String name, String image) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private void add(Manager manager, Work work, Cleaner<ConfigMap> cleaner) {
        ObjectSets sets = ObjectSets.create(manager);
        ObjectReconciler<ConfigMap> reconciler = (owner, context) -> work.reconcile(owner, manager.client(), sets);
        ControllerBuilder<ConfigMap> builder = ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .withLabelSelector("owner=" + namespace)
                .owns(Deployment.class)
                .owns(Secret.class);
        (cleaner == null
                        ? builder.reconciler(reconciler)
                        : builder.cleaner(cleaner).reconciler(reconciler))
                .addTo(manager);
    }

    Work applying(String image) {
        return (owner, client, sets) -> {
            client.apply(deployment(owner.getMetadata().getName(), image));
            return Result.done();
        };
    }

    PlanReport plan(Work work) throws InterruptedException {
        return plan(work, null);
    }

    /** Return the plan of a version. */
    PlanReport plan(Work work, Cleaner<ConfigMap> cleaner) throws InterruptedException {
        return plan(work, cleaner, LIMIT);
    }

    PlanReport planWithin(Duration limit, Work work) throws InterruptedException {
        return plan(work, null, limit);
    }

    private PlanReport plan(Work work, Cleaner<ConfigMap> cleaner, Duration limit) throws InterruptedException {
        Plan plan = Plan.create();
        ManagerOptions options = plan.prepare(ManagerOptions.defaults().withName("planned"));
        try (Manager manager = Manager.create(server.clientConfig(), options)) {
            add(manager, work, cleaner);
            return plan.run(manager, limit);
        }
    }

    /** Let a version do its work for each owner, as its controller does. */
    void run(Work work) throws Exception {
        for (ConfigMap owner : client.live().list(ConfigMap.class, namespace)) {
            if (namespace.equals(owner.getMetadata().getLabels().get("owner"))) {
                work.reconcile(owner, client, ObjectSets.create(client));
            }
        }
    }

    static List<String> effects(PlanReport report) {
        return report.changes().stream()
                .map(change -> change.effect() + " " + change.kind().kind() + " "
                        + change.key().name()
                        + (change.after().isEmpty() ? "" : " after " + change.after()))
                .toList();
    }
}
