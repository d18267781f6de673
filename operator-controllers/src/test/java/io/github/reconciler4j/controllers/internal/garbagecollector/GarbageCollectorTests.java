package io.github.reconciler4j.controllers.internal.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The garbage collector with the API server in this JVM, whose own one is off. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GarbageCollectorTests {

    private static final Kind<GenericKubernetesResource> WIDGETS = Kind.of("example.com/v1", "Widget");

    private KubernetesServer server;
    private ApiConnection connection;
    private Client user;
    private Manager manager;
    private String namespace;
    private int number;

    @BeforeAll
    void start() {
        server =
                KubernetesServer.builder().https(false).garbageCollection(false).start();
        connection = ApiConnection.open(server.clientConfig());
        Scheme scheme = Scheme.create();
        scheme.register(new KindInfo(KindName.of("example.com/v1", "Widget"), "widgets", true));
        user = Client.create(connection, scheme, ClientOptions.defaults());
        manager = Manager.create(server.clientConfig());
        GarbageCollectorController.builder(manager, ControllersOptions.defaults())
                .addTo(manager);
        manager.start();
    }

    @AfterAll
    void stop() {
        manager.close();
        connection.close();
        server.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = createNamespace("gc-" + ++number);
    }

    private String createNamespace(String name) {
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
        return name;
    }

    private void createWidgetKind() {
        user.create(KubernetesJson.readYaml(
                """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: widgets.example.com
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: widgets, singular: widget, kind: Widget}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
                """, io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition.class));
    }

    private static OwnerReference reference(HasMetadata owner, boolean blocking) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withBlockOwnerDeletion(blocking)
                .build();
    }

    private ConfigMap map(String name, HasMetadata... owners) {
        return create(name, List.of(), owners);
    }

    private ConfigMap create(String name, List<String> finalizers, HasMetadata... owners) {
        return user.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withFinalizers(finalizers)
                .withOwnerReferences(List.of(owners).stream()
                        .map(owner -> reference(owner, true))
                        .toList())
                .endMetadata()
                .build());
    }

    private void delete(HasMetadata object, Propagation propagation) {
        user.delete(object, DeletionOptions.defaults().withPropagation(propagation));
    }

    private Optional<ConfigMap> find(String name) {
        return user.live().get(ConfigMap.class, namespace, name);
    }

    private void awaitGone(String name) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(find(name)).isEmpty());
    }

    @Test
    void deletionWhenItIsInTheBackgroundDeletesAllGenerations() {
        ConfigMap owner = map("owner");
        ConfigMap child = map("child", owner);
        map("grandchild", child);

        delete(owner, Propagation.BACKGROUND);

        awaitGone("child");
        awaitGone("grandchild");
    }

    @Test
    void deletionWhenItOrphansKeepsDependentsWithoutTheReference() {
        ConfigMap owner = map("owner");
        map("child", owner);

        delete(owner, Propagation.ORPHAN);

        awaitGone("owner");
        assertThat(find("child"))
                .hasValueSatisfying(child ->
                        assertThat(child.getMetadata().getOwnerReferences()).isEmpty());
    }

    @Test
    void deletionWhenItIsInTheForegroundKeepsTheOwnerUntilItsDependentsAreGone() {
        ConfigMap owner = map("owner");
        create("child", List.of("example.com/hold"), owner);

        delete(owner, Propagation.FOREGROUND);

        await().untilAsserted(() -> assertThat(find("child"))
                .hasValueSatisfying(child ->
                        assertThat(child.getMetadata().getDeletionTimestamp()).isNotNull()));
        assertThat(find("owner")).isPresent();
        user.edit(find("child").orElseThrow(), child -> child.getMetadata().setFinalizers(List.of()));
        awaitGone("child");
        awaitGone("owner");
    }

    @Test
    void deletionWhenItIsInTheForegroundOfACycleEnds() {
        ConfigMap first = map("first");
        ConfigMap second = map("second", first);
        user.edit(first, changed -> changed.getMetadata().setOwnerReferences(List.of(reference(second, true))));

        delete(first, Propagation.FOREGROUND);

        awaitGone("first");
        awaitGone("second");
    }

    @Test
    void deletionWhenAnotherOwnerStaysOnlyRemovesTheReference() {
        ConfigMap leaving = map("leaving");
        ConfigMap staying = map("staying");
        map("child", leaving, staying);

        delete(leaving, Propagation.BACKGROUND);

        await().untilAsserted(() -> assertThat(find("child"))
                .hasValueSatisfying(child -> assertThat(child.getMetadata().getOwnerReferences())
                        .containsExactly(reference(staying, true))));
    }

    @Test
    void creationWhenTheOwnerHasAnotherUidDeletesTheObject() {
        ConfigMap owner = map("owner");
        owner.getMetadata().setUid("11111111-2222-3333-4444-555555555555");

        map("child", owner);

        awaitGone("child");
        assertThat(find("owner")).isPresent();
    }

    @Test
    void creationWhenTheOwnerIsInAnotherNamespaceDeletesTheObjectAndSaysWhy() {
        ConfigMap owner = map("owner");
        String other = namespace;
        namespace = createNamespace(namespace + "-other");

        ConfigMap child = map("child", owner);

        awaitGone("child");
        assertThat(user.live().get(ConfigMap.class, other, "owner")).isPresent();
        await().untilAsserted(() -> assertThat(user.live().list(Event.class, namespace))
                .anySatisfy(event -> {
                    assertThat(event.getReason()).isEqualTo("OwnerRefInvalidNamespace");
                    assertThat(event.getNote())
                            .isEqualTo("ownerRef [v1/ConfigMap, namespace: " + namespace + ", name: owner, uid: "
                                    + owner.getMetadata().getUid() + "] does not exist in namespace \"" + namespace
                                    + "\"");
                    assertThat(event.getRegarding().getUid())
                            .isEqualTo(child.getMetadata().getUid());
                }));
    }

    @Test
    void creationWhenTheKindOfTheOwnerIsUnknownKeepsTheObject() {
        ConfigMap owner = map("owner");
        owner.setKind("Unheard");
        map("child", owner);
        Secret deleted = user.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("deleted")
                .endMetadata()
                .build());
        map("sign", deleted);
        delete(deleted, Propagation.BACKGROUND);

        awaitGone("sign");
        assertThat(find("child")).isPresent();
    }

    @Test
    void deletionWhenTheKindAppearedLaterIsCollectedToo() throws Exception {
        createWidgetKind();
        ConfigMap owner = map("owner");
        ConfigMap other = map("other");
        GenericKubernetesResource widget = new GenericKubernetesResource();
        widget.setApiVersion("example.com/v1");
        widget.setKind("Widget");
        widget.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("widget")
                .withOwnerReferences(reference(owner, true), reference(other, false))
                .build());
        await().ignoreExceptions().until(() -> user.create(widget) != null);

        delete(owner, Propagation.BACKGROUND);

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(user.live().get(WIDGETS, ObjectKey.of(namespace, "widget")))
                        .hasValueSatisfying(
                                found -> assertThat(found.getMetadata().getOwnerReferences())
                                        .containsExactly(reference(other, false))));
        delete(other, Propagation.FOREGROUND);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(user.live().get(WIDGETS, ObjectKey.of(namespace, "widget")))
                        .isEmpty());
    }
}
