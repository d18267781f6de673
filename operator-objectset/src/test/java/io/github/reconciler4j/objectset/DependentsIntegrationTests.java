package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What dependents of the Java Operator SDK promise about single objects, for sets on an API server: several of a kind, what others
 * change, what the server adds, and other namespaces.
 */
@AnyKubernetesTest
class DependentsIntegrationTests {

    private final AnyKubernetes kubernetes;
    private final ApiConnection connection;
    private final Client client;
    private final ObjectSets sets;
    private final String namespace;
    private final ConfigMap owner;

    DependentsIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        connection = ApiConnection.open(kubernetes.config());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        sets = ObjectSets.create(client);
        namespace = kubernetes.createNamespace("dependents");
        owner = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .withFinalizers("example.com/finalizer")
                .endMetadata()
                .build());
    }

    @AfterEach
    void close() {
        ConfigMap last = client.live().get(ConfigMap.class, namespace, "owner").orElseThrow();
        last.getMetadata().setFinalizers(List.of());
        client.delete(client.update(last));
        connection.close();
    }

    private ObjectSet set() {
        return ObjectSet.ownedBy(owner);
    }

    private static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }

    private static Secret secret(String name, String value) {
        return new SecretBuilder()
                .withMetadata(named(name))
                .addToStringData("value", value)
                .build();
    }

    private static List<Secret> secrets(String value, String... names) {
        return Arrays.stream(names).map(name -> secret(name, value)).toList();
    }

    private List<String> names() {
        return client.live().list(Secret.class, namespace).stream()
                .map(each -> each.getMetadata().getName())
                .sorted()
                .toList();
    }

    private Optional<Secret> find(String in, String name) {
        return client.live().get(Secret.class, in, name);
    }

    @Test
    void severalObjectsOfAKindFollowTheirList() {
        sets.reconcile(set().applyAll(Secret.class, secrets("one", "a", "b", "c")));
        assertThat(names()).containsExactly("a", "b", "c");

        sets.reconcile(set().applyAll(Secret.class, secrets("two", "a")));
        assertThat(names()).containsExactly("a");
        assertThat(find(namespace, "a").orElseThrow().getData()).containsEntry("value", "dHdv");

        sets.reconcile(set().applyAll(Secret.class, secrets("two", "a", "d")));
        assertThat(names()).containsExactly("a", "d");

        sets.reconcile(set().applyAll(Secret.class, List.of()));
        assertThat(names()).isEmpty();
    }

    @Test
    void severalObjectsAreDoneWhenEachIsReady() {
        Readiness isA = Readiness.of(
                Secret.class, secret -> secret.getMetadata().getName().equals("a"), "the test");

        ObjectSetResult result = sets.reconcile(set().applyAll(Secret.class, secrets("one", "a", "b"))
                .untilReady(isA)
                .then(s -> s.apply(secret("later", "one"))));

        assertThat(result.objects(State.NOT_READY))
                .singleElement()
                .satisfies(each -> assertThat(each.key().name()).isEqualTo("b"));
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void partsOfOneKindAreDistinguishedByName() {
        sets.reconcile(set().apply(secret("a", "one")).when(true, s -> s.apply(secret("b", "one"))));

        sets.reconcile(set().apply(secret("a", "one")).when(false, s -> s.apply(secret("b", "one"))));
        assertThat(names()).containsExactly("a");

        sets.reconcile(set().apply(secret("a", "one")).when(true, s -> s.apply(secret("b", "one"))));
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void changeOfAnotherIsCorrectedWhereTheSetHasAnOpinion() {
        sets.reconcile(set().apply(secret("a", "one")));
        Secret changed = find(namespace, "a").orElseThrow();
        changed.getData().put("value", "d3Jvbmc=");
        changed.getData().put("other", "b3RoZXI=");
        client.update(changed);

        sets.reconcile(set().apply(secret("a", "one")));

        assertThat(find(namespace, "a").orElseThrow().getData())
                .isEqualTo(Map.of("value", "b25l", "other", "b3RoZXI="));
    }

    private ObjectSet withDefaults() {
        Map<String, String> labels = Map.of("app", "web");
        StatefulSet web = new StatefulSetBuilder()
                .withMetadata(named("web"))
                .withNewSpec()
                .withServiceName("web")
                .withReplicas(0)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("example.com/web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        Service service = new ServiceBuilder()
                .withMetadata(named("web"))
                .withNewSpec()
                .withSelector(labels)
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
        return set().apply(web)
                .apply(service)
                .apply(new ServiceAccountBuilder()
                        .withMetadata(named("web"))
                        .withAutomountServiceAccountToken(false)
                        .build());
    }

    @Test
    void whatTheServerAddsLeadsToNoFurtherWrite() {
        sets.reconcile(withDefaults());
        observe();
        List<String> before = specs();

        ObjectSets restarted = ObjectSets.create(Client.create(connection, Scheme.create(), ClientOptions.defaults()));
        for (ObjectSets each : List.of(sets, restarted, restarted)) {
            assertThat(each.reconcile(withDefaults()).isReady()).isTrue();
        }

        assertThat(specs()).isEqualTo(before);
    }

    /** Write what the controller of StatefulSets writes, which the server in the JVM does not run. */
    private void observe() {
        StatefulSet web = client.live().get(StatefulSet.class, namespace, "web").orElseThrow();
        client.status().edit(web, set -> {
            StatefulSetStatus status = Objects.requireNonNullElseGet(set.getStatus(), StatefulSetStatus::new);
            status.setObservedGeneration(set.getMetadata().getGeneration());
            status.setReplicas(0);
            set.setStatus(status);
        });
    }

    /** Return uid and generation or version of each object; controllers of the server write the status. */
    private List<String> specs() {
        ObjectMeta service =
                client.live().get(Service.class, namespace, "web").orElseThrow().getMetadata();
        ObjectMeta web = client.live()
                .get(StatefulSet.class, namespace, "web")
                .orElseThrow()
                .getMetadata();
        return List.of(
                service.getUid(), service.getResourceVersion(), web.getUid(), Long.toString(web.getGeneration()));
    }

    @Test
    void objectInAnotherNamespaceIsAppliedAndDeleted() {
        String other = kubernetes.createNamespace("dependents-other");
        Secret child = secret("child", "one");
        child.getMetadata().setNamespace(other);

        sets.reconcile(set().apply(child));

        assertThat(find(other, "child").orElseThrow().getMetadata().getLabels())
                .containsEntry(Ownership.OWNER_UID, owner.getMetadata().getUid());
        sets.reconcile(set());
        assertThat(find(other, "child")).isEmpty();
    }

    @Test
    void objectWithoutAClassIsAppliedAndDeleted() {
        GenericKubernetesResource lease = new GenericKubernetesResource();
        lease.setApiVersion("coordination.k8s.io/v1");
        lease.setKind("Lease");
        lease.setMetadata(named("generic"));
        lease.setAdditionalProperty("spec", Map.of("holderIdentity", "holder"));
        Kind<GenericKubernetesResource> kind = Kind.of("coordination.k8s.io/v1", "Lease");

        sets.reconcile(set().applyAll(kind, List.of(lease)));

        HasMetadata found =
                client.live().list(kind, Selection.inNamespace(namespace)).get(0);
        assertThat(found.getMetadata().getName()).isEqualTo("generic");
        sets.reconcile(set().applyAll(kind, List.of()));
        assertThat(client.live().list(kind, Selection.inNamespace(namespace))).isEmpty();
    }
}
