package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The API server in this JVM, an owner in a namespace of its own, and children. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ObjectSetFixture {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    KubernetesServer server;
    ApiConnection connection;
    Client client;
    ObjectSets sets;
    String namespace;
    ConfigMap owner;

    @BeforeAll
    void start() {
        server =
                KubernetesServer.builder().https(false).garbageCollection(false).start();
        connection = ApiConnection.open(server.clientConfig());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @AfterAll
    void stop() {
        connection.close();
        server.close();
    }

    @BeforeEach
    void createOwner() {
        sets = ObjectSets.create(client);
        namespace = "set-" + NUMBER.incrementAndGet();
        client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        owner = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .endMetadata()
                .build());
    }

    static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToStringData("user", name)
                .build();
    }

    static ServiceAccount account(String name) {
        return new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    static Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
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
                .withImage("example.com/main:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    static ClusterRole clusterRole(String name) {
        return new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    ObjectSet set() {
        return ObjectSet.ownedBy(owner);
    }

    <T extends HasMetadata> boolean exists(Class<T> type, String name) {
        return client.live().get(type, namespace, name).isPresent();
    }

    void makeReady(String name) {
        Deployment deployment =
                client.live().get(Deployment.class, namespace, name).orElseThrow();
        client.status().edit(deployment, changed -> {
            io.fabric8.kubernetes.api.model.apps.DeploymentStatus status =
                    new io.fabric8.kubernetes.api.model.apps.DeploymentStatus();
            status.setObservedGeneration(changed.getMetadata().getGeneration());
            status.setReplicas(1);
            status.setUpdatedReplicas(1);
            status.setAvailableReplicas(1);
            status.setReadyReplicas(1);
            changed.setStatus(status);
        });
    }

    String remembered() {
        return client.live()
                .get(ConfigMap.class, namespace, "owner")
                .orElseThrow()
                .getMetadata()
                .getAnnotations()
                .getOrDefault(KindMemory.ANNOTATION, "");
    }

    static State state(ObjectSetResult result, String name) {
        return result.objects().stream()
                .filter(each -> each.key().name().equals(name))
                .findFirst()
                .orElseThrow()
                .state();
    }

    static Condition condition(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(each -> each.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    List<Condition> report(ObjectSetResult result) {
        List<Condition> conditions = new ArrayList<>();
        result.report(Conditions.of(conditions, owner));
        return conditions;
    }

    void addFinalizer() {
        owner.getMetadata().setFinalizers(List.of("example.com/finalizer"));
        owner = client.update(owner);
    }
}
