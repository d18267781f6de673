package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of the client; subclasses say against which server they are held. */
@Timeout(300)
abstract class ClientPromises {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    String namespace;
    ApiConnection connection;
    Client client;
    final List<String> told = new CopyOnWriteArrayList<>();

    /** The configuration of somebody who may do everything. */
    abstract Config config();

    /** Makes a namespace of the test's own and returns its name. */
    abstract String createNamespace();

    @BeforeEach
    void open() throws InterruptedException {
        connection = ApiConnection.open(config());
        connection.awaitServer(PATIENCE);
        namespace = createNamespace();
        client = Client.create(
                connection,
                Scheme.create(),
                ClientOptions.defaults().withFieldManager("client-test").withWriteListener(new WriteListener() {
                    @Override
                    public void written(KindInfo kind, byte[] json) {
                        told.add("written " + kind.plural());
                    }

                    @Override
                    public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
                        told.add("deleted " + key.name() + (uid.isEmpty() ? "" : " uid"));
                    }
                }));
        install(Gadget.CRD, Gadget.class);
        told.clear();
    }

    private void install(String crd, Class<? extends HasMetadata> type) {
        client.createOrUpdate(
                new KubernetesSerialization().unmarshal(crd, GenericKubernetesResource.class), same -> {});
        KindInfo kind = client.scheme().kindOf(type);
        await("discovery of " + kind.kind())
                .atMost(PATIENCE)
                .until(() -> client.discovery().find(kind.kind()).isPresent());
    }

    @AfterEach
    void close() {
        connection.close();
    }

    ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).withNamespace(namespace).build();
    }

    ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withMetadata(named(name))
                .addToData("a", "1")
                .build();
    }

    Gadget gadget(String name) {
        Gadget gadget = new Gadget();
        gadget.setMetadata(named(name));
        gadget.setSpec(new Gadget.Spec());
        gadget.getSpec().replicas = 1;
        return gadget;
    }

    ObjectKey key(String name) {
        return ObjectKey.of(namespace, name);
    }

    GenericKubernetesResource generic(String apiVersion, String kind, String name) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(apiVersion);
        object.setKind(kind);
        object.setMetadata(named(name));
        return object;
    }

    @Test
    void typedObjectsAreCreatedReadUpdatedAndDeleted() {
        ConfigMap created = client.create(configMap("one"));
        assertThat(created.getMetadata().getUid()).isNotBlank();
        assertThat(created.getApiVersion()).isEqualTo("v1");
        ConfigMap read = client.get(ConfigMap.class, key("one")).orElseThrow();
        assertThat(read).isEqualTo(created);
        ConfigMap updated =
                client.update(new ConfigMapBuilder(read).addToData("b", "2").build());
        assertThat(updated.getData()).containsEntry("b", "2");
        assertThat(updated.getMetadata().getManagedFields())
                .extracting(entry -> entry.getManager())
                .containsOnly("client-test");
        assertThat(client.delete(updated)).isTrue();
        assertThat(client.delete(updated)).isFalse();
        assertThat(client.get(ConfigMap.class, key("one"))).isEmpty();
        assertThat(told).containsExactly("written configmaps", "written configmaps", "deleted one uid");
    }

    @Test
    void genericAndMetadataFormsOfOneKindAgree() {
        GenericKubernetesResource object = generic("client.test.reconciler4j.io/v1", "Gadget", "g");
        object.setAdditionalProperty("spec", Map.of("replicas", 2, "big", new BigInteger("9007199254740993")));
        GenericKubernetesResource created = client.create(object);
        GroupVersionKind kind = GroupVersionKind.of("client.test.reconciler4j.io/v1", "Gadget");

        assertThat(created.getKind()).isEqualTo("Gadget");
        assertThat(client.get(kind, key("g"))).contains(created);
        assertThat(client.list(kind, ListOptions.inNamespace(namespace))).containsExactly(created);
        Gadget typed = client.get(Gadget.class, key("g")).orElseThrow();
        assertThat(typed.getSpec().big).isEqualTo(new BigInteger("9007199254740993"));
        ObjectHeader header = client.header(kind, key("g")).orElseThrow();
        assertThat(header.uid()).isEqualTo(typed.getMetadata().getUid());
        assertThat(header.generation()).isEqualTo(1);
        assertThat(client.headers(kind, ListOptions.inNamespace(namespace)))
                .extracting(ObjectHeader::key)
                .containsExactly(key("g"));
        assertThat(client.header(kind, key("missing"))).isEmpty();
    }

    @Test
    void serverErrorsAreTyped() {
        client.create(configMap("there"));
        assertThatThrownBy(() -> client.create(configMap("there"))).isInstanceOf(AlreadyExistsException.class);
        assertThatThrownBy(() -> client.update(configMap("missing"))).isInstanceOf(NotFoundException.class);
        ConfigMap stale = client.get(ConfigMap.class, key("there")).orElseThrow();
        client.update(new ConfigMapBuilder(stale).addToData("b", "2").build());
        assertThatThrownBy(() -> client.update(
                        new ConfigMapBuilder(stale).addToData("b", "3").build()))
                .isExactlyInstanceOf(ConflictException.class)
                .hasMessageStartingWith("update configmaps " + namespace + "/there: 409 Conflict: ");
        assertThatThrownBy(() -> client.create(generic("nothing.example/v1", "Nothing", "x")))
                .isInstanceOf(io.github.reconciler4j.scheme.UnknownKindException.class);
        String missing = namespace + "-missing";
        assertThatThrownBy(() -> client.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(missing)
                        .withName("x")
                        .endMetadata()
                        .build()))
                .isExactlyInstanceOf(NotFoundException.class)
                .hasMessageContaining("namespaces \"" + missing + "\" not found");
    }

    @Test
    void invalidObjectNamesTheFieldsAndHidesTheValues() {
        Gadget gadget = gadget("bad");
        gadget.getSpec().replicas = 1000;
        gadget.getSpec().secret = "hunter2: not for logs";

        ApiException failure = (ApiException) catchThrowable(() -> client.create(gadget));

        assertThat(failure).isInstanceOf(InvalidObjectException.class);
        assertThat(failure.causes())
                .extracting(ApiException.Cause::field)
                .containsExactlyInAnyOrder("spec.replicas", "spec.secret");
        assertThat(failure.getMessage())
                .contains("spec.replicas: ", "spec.secret: ")
                .doesNotContain("hunter2", "1000");
    }

    @Test
    void kindWithoutDefinitionSaysWhichOneToInstall() {
        KindInfo widget = new KindInfo(GroupVersionKind.of("apps.example/v1", "Widget"), "widgets", true);
        assertThatThrownBy(() -> client.discovery().check(widget))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("install the CustomResourceDefinition widgets.apps.example");
        client.scheme().register(widget);
        assertThatThrownBy(() -> client.get(widget.kind(), key("x"))).isInstanceOf(KindNotServedException.class);
        assertThatThrownBy(() -> client.list(widget.kind(), ListOptions.all()))
                .isInstanceOf(KindNotServedException.class);
    }

    @Test
    void discoveryTellsScopePluralSubresourcesAndVersions() {
        Discovery discovery = client.discovery();
        Discovery.ServedKind gadget = discovery.check(client.scheme().kindOf(Gadget.class));
        assertThat(gadget.info().plural()).isEqualTo("gadgets");
        assertThat(gadget.subresources()).containsExactlyInAnyOrder("status", "scale");
        assertThat(gadget.verbs()).contains("get", "list", "watch", "create", "patch");
        GroupVersionKind kind = gadget.info().kind();
        assertThatThrownBy(() -> discovery.check(new KindInfo(kind, "gadgetz", true)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("'gadgetz'")
                .hasMessageContaining("'gadgets'");
        assertThatThrownBy(() -> discovery.check(new KindInfo(kind, "gadgets", false)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("cluster-scoped here");
        assertThatThrownBy(() -> discovery.check(
                        new KindInfo(GroupVersionKind.of("client.test.reconciler4j.io/v2", "Gadget"), "gadgets", true)))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("[v1]");
        assertThat(discovery
                        .findPreferred("autoscaling", "HorizontalPodAutoscaler")
                        .orElseThrow()
                        .info()
                        .kind()
                        .version())
                .isEqualTo("v2");
        assertThat(discovery.findPreferred("", "Pod")).isPresent();
        assertThat(discovery.versions("nothing.example")).isEmpty();
    }

    @Test
    void statusUpdateChangesOnlyStatus() {
        Gadget created = client.create(gadget("s"));
        created.getSpec().replicas = 50;
        created.setStatus(new Gadget.Status());
        created.getStatus().phase = "Ready";

        Gadget updated = client.status().update(created);

        assertThat(updated.getStatus().phase).isEqualTo("Ready");
        assertThat(updated.getSpec().replicas).isEqualTo(1);
        assertThat(updated.getMetadata().getGeneration()).isEqualTo(1);
        Gadget viaMain = client.update(updated);
        assertThat(viaMain.getStatus().phase).isEqualTo("Ready");
        assertThatThrownBy(() -> client.status().update(gadget("none"))).isInstanceOf(NotFoundException.class);
        Gadget next = client.get(Gadget.class, key("s")).orElseThrow();
        next.getStatus().phase = "Busy";
        assertThat(client.status().patch(next, Patch.between(updated, next)).getStatus().phase)
                .isEqualTo("Busy");
        assertThat(told).containsOnly("written gadgets").hasSize(4);
    }

    @Test
    void statusApplyOwnsOnlyTheStatus() {
        client.create(gadget("s"));
        Gadget status = gadget("s");
        status.getMetadata().setLabels(Map.of("not", "mine"));
        status.setStatus(new Gadget.Status());
        status.getStatus().phase = "Ready";

        Gadget applied = client.status().apply(status, ApplyOptions.defaults().withFieldManager("status-writer"));

        assertThat(applied.getStatus().phase).isEqualTo("Ready");
        assertThat(applied.getMetadata().getLabels()).doesNotContainKey("not");
        assertThat(applied.getMetadata().getManagedFields())
                .filteredOn(entry -> entry.getManager().equals("status-writer"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.getSubresource()).isEqualTo("status");
                    assertThat(entry.getFieldsV1().getAdditionalProperties()).containsOnlyKeys("f:status");
                });
        assertThatThrownBy(() -> client.status().apply(gadget("none"))).isInstanceOf(NotFoundException.class);
    }

    @Test
    void applyCreatesUpdatesRemovesAndDetectsConflicts() {
        ConfigMap first = client.apply(configMap("a"));
        assertThat(first.getData()).containsEntry("a", "1");
        ConfigMap other = configMap("a");
        other.setData(Map.of("a", "2"));
        assertThatThrownBy(() -> client.withFieldManager("other")
                        .apply(other, ApplyOptions.defaults().withoutForce()))
                .isExactlyInstanceOf(ConflictException.class)
                .hasMessageContaining("client-test");
        assertThat(client.withFieldManager("other").apply(other).getData()).containsEntry("a", "2");
        ConfigMap more = configMap("a");
        more.setData(Map.of("b", "1"));
        client.apply(more);
        more.setData(Map.of("c", "1"));
        assertThat(client.apply(more).getData()).containsOnlyKeys("a", "c");
        ConfigMap read = client.get(ConfigMap.class, key("a")).orElseThrow();
        client.apply(read);
        client.apply(new ConfigMapBuilder(read).addToData("d", "1").build());
        assertThatThrownBy(() -> client.apply(
                        new ConfigMapBuilder(read).addToData("d", "2").build(),
                        ApplyOptions.defaults().withOptimisticLock()))
                .isExactlyInstanceOf(ConflictException.class);
    }

    @Test
    void applyTakesAPartialTree() {
        client.create(gadget("p"));
        GenericKubernetesResource part = generic("client.test.reconciler4j.io/v1", "Gadget", "p");
        part.setAdditionalProperty("spec", Map.of("items", List.of("x")));
        GenericKubernetesResource applied = client.apply(part);
        assertThat(applied.<Object>get("spec", "replicas")).isEqualTo(1);
        assertThat(applied.<Object>get("spec", "items")).isEqualTo(List.of("x"));
        Map<String, Object> empty = new LinkedHashMap<>();
        part.setAdditionalProperty("spec", empty);
        assertThat(client.apply(part).<Object>get("spec", "items")).isNull();
    }

    @Test
    void patchesOfAllKindsChangeWhatTheySay() {
        Pod pod = client.create(pod("pod"));
        Pod merged = client.patch(pod, Patch.merge(Map.of("metadata", Map.of("labels", Map.of("a", "1")))));
        assertThat(merged.getMetadata().getLabels()).containsEntry("a", "1");
        Pod strategic = client.patch(
                pod,
                Patch.strategic(Map.of("spec", Map.of("containers", List.of(Map.of("name", "main", "image", "b"))))));
        assertThat(strategic.getSpec().getContainers())
                .singleElement()
                .satisfies(container -> assertThat(container.getImage()).isEqualTo("b"));
        Pod json = client.patch(
                pod,
                Patch.json(
                        Patch.Operation.test("/metadata/labels/a", "1"),
                        Patch.Operation.replace("/metadata/labels/a", "2")));
        assertThat(json.getMetadata().getLabels()).containsEntry("a", "2");
        assertThatThrownBy(() -> client.patch(pod, Patch.json(Patch.Operation.test("/metadata/labels/a", "9"))))
                .isInstanceOf(InvalidObjectException.class);
        client.delete(Pod.class, key("pod"), DeleteOptions.defaults().withGracePeriod(Duration.ZERO));
    }

    Pod pod(String name) {
        return new PodBuilder()
                .withMetadata(named(name))
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("a")
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void lockedPatchConflictsWhenTheObjectHasChanged() {
        ConfigMap before = client.create(configMap("l"));
        ConfigMap mine = new ConfigMapBuilder(before).addToData("mine", "1").build();
        client.update(new ConfigMapBuilder(before).addToData("theirs", "1").build());
        assertThatThrownBy(() -> client.patch(mine, Patch.lockedBetween(before, mine)))
                .isExactlyInstanceOf(ConflictException.class);
        assertThat(client.patch(mine, Patch.between(before, mine)).getData()).containsKeys("mine", "theirs");
    }

    @Test
    void patchesOfAllKindsCanBeLockedToAVersion() {
        ConfigMap before = client.create(configMap("v"));
        Map<String, Object> tree = Map.of("data", Map.of("b", "2"));
        List<Patch> patches =
                List.of(Patch.merge(tree), Patch.strategic(tree), Patch.json(Patch.Operation.add("/data/c", "3")));
        ConfigMap now = before;
        for (Patch patch : patches) {
            ConfigMap read = now;
            now = client.patch(read, patch.lockedTo(read));
            now = client.patch(now, Patch.merge(Map.of("data", Map.of("b", "0"))));
            assertThatThrownBy(() -> client.patch(read, patch.lockedTo(read)))
                    .isExactlyInstanceOf(ConflictException.class);
        }
        assertThat(now.getData()).containsEntry("c", "3").containsEntry("b", "0");
        assertThatThrownBy(() -> patches.get(0).lockedTo(configMap("v")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resourceVersion");
    }

    @Test
    void dryRunValidatesAndChangesNothing() {
        Client dry = client.dryRun();
        ConfigMap result = dry.create(configMap("dry"));
        assertThat(result.getMetadata().getUid()).isNotBlank();
        assertThat(client.get(ConfigMap.class, key("dry"))).isEmpty();
        Gadget invalid = gadget("dry");
        invalid.getSpec().replicas = -1;
        assertThatThrownBy(() -> dry.create(invalid)).isInstanceOf(InvalidObjectException.class);
        assertThat(told).isEmpty();
        client.create(configMap("kept"));
        dry.delete(ConfigMap.class, key("kept"), DeleteOptions.defaults());
        dry.deleteAll(ConfigMap.class, ListOptions.inNamespace(namespace), DeleteOptions.defaults());
        dry.apply(new ConfigMapBuilder(configMap("kept")).addToData("x", "y").build());
        assertThat(client.get(ConfigMap.class, key("kept")).orElseThrow().getData())
                .containsOnlyKeys("a");
        assertThat(told).containsExactly("written configmaps");
    }

    @Test
    void fieldValidationRefusesWarnsOrIgnoresUnknownFields() {
        GenericKubernetesResource object = generic("client.test.reconciler4j.io/v1", "Gadget", "v");
        object.setAdditionalProperty("spec", Map.of("unknownField", 1));
        WriteOptions strict = WriteOptions.defaults().withFieldValidation(FieldValidation.STRICT);
        assertThatThrownBy(() -> client.create(object, strict))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("spec.unknownField");
        List<String> warnings = new ArrayList<>();
        client.create(
                object,
                WriteOptions.defaults()
                        .withFieldValidation(FieldValidation.WARN)
                        .withOnWarning(warnings::add));
        assertThat(warnings).singleElement().asString().contains("spec.unknownField");
        warnings.clear();
        object.getMetadata().setName("v2");
        client.create(
                object,
                WriteOptions.defaults()
                        .withFieldValidation(FieldValidation.IGNORE)
                        .withOnWarning(warnings::add));
        assertThat(warnings).isEmpty();
    }

    @Test
    void deletionRespectsPreconditionsFinalizersAndPropagation() {
        ConfigMap object = client.create(new ConfigMapBuilder(configMap("d"))
                .editMetadata()
                .addToFinalizers("test.example/hold")
                .endMetadata()
                .build());
        assertThatThrownBy(() -> client.delete(object, DeleteOptions.defaults().withUid("other")))
                .isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> client.delete(object, DeleteOptions.defaults().withResourceVersion("1")))
                .isInstanceOf(ConflictException.class);
        told.clear();
        assertThat(client.delete(object, DeleteOptions.exactly(object))).isTrue();
        assertThat(told).containsExactly("written configmaps");
        ConfigMap ending = client.get(ConfigMap.class, key("d")).orElseThrow();
        assertThat(ending.getMetadata().getDeletionTimestamp()).isNotNull();
        client.patch(ending, Patch.json(Patch.Operation.remove("/metadata/finalizers")));
        assertThat(client.get(ConfigMap.class, key("d"))).isEmpty();

        ConfigMap foreground = client.create(configMap("f"));
        told.clear();
        client.delete(foreground, DeleteOptions.defaults().withPropagation(Propagation.FOREGROUND));
        assertThat(told).containsExactly("written configmaps");
        await("end of the object")
                .atMost(PATIENCE)
                .until(() -> client.get(ConfigMap.class, key("f")).isEmpty());
    }

    @Test
    void deleteAllTakesTheSelectedOnly() {
        for (int i = 0; i < 4; i++) {
            client.create(new ConfigMapBuilder(configMap("all-" + i))
                    .editMetadata()
                    .addToLabels("half", i < 2 ? "first" : "second")
                    .endMetadata()
                    .build());
        }
        told.clear();
        client.deleteAll(
                ConfigMap.class,
                ListOptions.inNamespace(namespace).withLabelSelector("half=first"),
                DeleteOptions.defaults());
        assertThat(told).containsExactlyInAnyOrder("deleted all-0 uid", "deleted all-1 uid");
        assertThat(client.list(
                        ConfigMap.class, ListOptions.inNamespace(namespace).withLabelSelector("half")))
                .extracting(c -> c.getMetadata().getName())
                .containsExactly("all-2", "all-3");
        client.deleteAll(
                ConfigMap.class,
                ListOptions.inNamespace(namespace).withFieldSelector("metadata.name=all-2"),
                DeleteOptions.defaults());
        assertThat(client.list(
                        ConfigMap.class, ListOptions.inNamespace(namespace).withLabelSelector("half")))
                .extracting(c -> c.getMetadata().getName())
                .containsExactly("all-3");
        assertThatThrownBy(() -> client.deleteAll(ConfigMap.class, ListOptions.all(), DeleteOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void listsPageWithoutLosingOrDoublingAnything() {
        List<HasMetadata> created = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            created.add(client.create(configMap("page-" + i)));
        }
        ListOptions all = ListOptions.inNamespace(namespace).withFieldSelector("metadata.name!=kube-root-ca.crt");
        assertThat(client.list(ConfigMap.class, all)).hasSize(created.size());
        assertThat(client.list(ConfigMap.class, all.withLimit(3))).hasSize(3);
        assertThat(client.live().stream(ConfigMap.class, all)).hasSize(created.size());
    }

    @Test
    void generateNameGivesEachObjectItsOwn() {
        ConfigMap template = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withGenerateName("gen-")
                .endMetadata()
                .build();
        String first = client.create(template).getMetadata().getName();
        String second = client.create(template).getMetadata().getName();
        assertThat(first).startsWith("gen-").isNotEqualTo(second);
        assertThat(template.getMetadata().getName()).isNull();
    }

    @Test
    void retryOnConflictEndsWithBothChanges() {
        client.create(configMap("r"));
        ConfigMap stale = client.get(ConfigMap.class, key("r")).orElseThrow();
        List<Integer> tries = new ArrayList<>();
        ConfigMap result = client.retryOnConflict(ConfigMap.class, key("r"), read -> {
            tries.add(1);
            ConfigMap from = tries.size() == 1 ? stale : read;
            if (tries.size() == 1) {
                client.update(
                        new ConfigMapBuilder(read).addToData("theirs", "1").build());
            }
            return client.update(
                    new ConfigMapBuilder(from).addToData("mine", "1").build());
        });
        assertThat(tries).hasSize(2);
        assertThat(result.getData()).containsKeys("mine", "theirs");
    }

    /** A client that counts the writes that leave. */
    Client counting(List<String> writes) {
        return client.intercepted(new ClientInterceptor() {
            @Override
            public ApiResponse apply(ClientCall call, Next next) {
                writes.add("apply");
                return next.proceed(call);
            }

            @Override
            public ApiResponse create(ClientCall call, Next next) {
                writes.add("create");
                return next.proceed(call);
            }

            @Override
            public ApiResponse update(ClientCall call, Next next) {
                writes.add("update");
                return next.proceed(call);
            }

            @Override
            public ApiResponse patch(ClientCall call, Next next) {
                writes.add("patch");
                return next.proceed(call);
            }

            @Override
            public ApiResponse subresource(ClientCall call, Next next) {
                if (call.verb().isWrite()) {
                    writes.add(call.verb().word() + " " + call.subresource());
                }
                return next.proceed(call);
            }
        });
    }

    Deployment deployment(String name, String cpu) {
        return new DeploymentBuilder()
                .withMetadata(named(name))
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
                .withImage("a")
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    void applyIfChangedRemovesWhatIsNoLongerGiven() {
        ConfigMap wanted =
                new ConfigMapBuilder(configMap("less")).addToData("b", "2").build();
        client.applyIfChanged(wanted);
        wanted.getData().remove("b");
        assertThat(client.applyIfChanged(wanted).object().getData()).containsOnlyKeys("a");
        assertThat(client.applyIfChanged(wanted).written()).isFalse();
    }

    @Test
    void applyIfChangedTakesAGenericTree() {
        GenericKubernetesResource part = generic("client.test.reconciler4j.io/v1", "Gadget", "part");
        part.setAdditionalProperty("spec", Map.of("items", List.of("x"), "replicas", 1));
        assertThat(client.applyIfChanged(part).written()).isTrue();
        assertThat(client.applyIfChanged(part).written()).isFalse();
        client.scale().set(gadget("part"), 5);
        assertThat(client.applyIfChanged(part).written()).isTrue();
    }

    @Test
    void createOrUpdateSendsOnlyDifferences() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        Gadget initial = gadget("u");
        assertThat(counting.createOrUpdate(initial, g -> g.getSpec().replicas = 2)
                        .outcome())
                .isEqualTo(Upserted.Outcome.CREATED);
        assertThat(initial.getSpec().replicas).isEqualTo(1);
        assertThat(counting.createOrUpdate(initial, g -> g.getSpec().replicas = 2)
                        .outcome())
                .isEqualTo(Upserted.Outcome.UNCHANGED);
        Upserted<Gadget> updated = counting.createOrUpdate(initial, g -> g.getSpec().replicas = 3);
        assertThat(updated.outcome()).isEqualTo(Upserted.Outcome.UPDATED);
        assertThat(updated.object().getSpec().replicas).isEqualTo(3);
        assertThat(writes).containsExactly("create", "update");
        assertThatThrownBy(() ->
                        counting.createOrUpdate(initial, g -> g.getMetadata().setName("other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not change name or namespace");
        assertThat(writes).hasSize(2);
    }

    @Test
    void createOrPatchSendsObjectAndStatusApart() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        Gadget initial = gadget("p2");
        counting.createOrPatch(initial, g -> {});
        Upserted<Gadget> both = counting.createOrPatch(initial, g -> {
            g.getSpec().replicas = 5;
            g.setStatus(new Gadget.Status());
            g.getStatus().phase = "Ready";
        });
        assertThat(both.outcome()).isEqualTo(Upserted.Outcome.UPDATED_WITH_STATUS);
        assertThat(both.object().getSpec().replicas).isEqualTo(5);
        assertThat(both.object().getStatus().phase).isEqualTo("Ready");
        assertThat(counting.createOrPatch(initial, g -> g.getStatus().phase = "Busy")
                        .outcome())
                .isEqualTo(Upserted.Outcome.UPDATED_STATUS_ONLY);
        assertThat(counting.createOrPatch(initial, g -> {}).outcome()).isEqualTo(Upserted.Outcome.UNCHANGED);
        assertThat(writes).containsExactly("create", "patch", "patch status", "patch status");
    }

    @Test
    void createOrPatchWhenItCreatesWritesTheStatusToo() {
        List<String> writes = new ArrayList<>();
        Upserted<Gadget> created = counting(writes).createOrPatch(gadget("p3"), g -> {
            g.setStatus(new Gadget.Status());
            g.getStatus().phase = "New";
        });
        assertThat(created.outcome()).isEqualTo(Upserted.Outcome.CREATED);
        assertThat(created.object().getStatus().phase).isEqualTo("New");
        assertThat(writes).containsExactly("create", "patch status");
    }

    @Test
    void createOrUpdateWorksOnTheGenericForm() {
        client.create(configMap("generic"));
        Upserted<GenericKubernetesResource> upserted = client.createOrUpdate(
                generic("v1", "ConfigMap", "generic"),
                object -> object.setAdditionalProperty("data", Map.of("a", "9")));
        assertThat(upserted.outcome()).isEqualTo(Upserted.Outcome.UPDATED);
        assertThat(upserted.object().<String>get("data", "a")).isEqualTo("9");
    }

    @Test
    void createOrUpdateWhenReadingFailsWritesNothing() {
        connection.close();
        assertThatThrownBy(() -> client.createOrUpdate(configMap("unread"), map -> {
                    throw new AssertionError("must not be called");
                }))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void observeModeChangesNothingAndTellsWhatItWould() {
        client.create(configMap("seen"));
        Gadget gadget = client.create(gadget("seen"));
        List<ObservedWrite> observed = new ArrayList<>();
        Client observing = Client.create(
                connection,
                Scheme.create(),
                ClientOptions.defaults().withMode(WriteMode.OBSERVE).withWriteObserver(observed::add));

        observing.create(configMap("new"));
        observing.apply(
                new ConfigMapBuilder(configMap("seen")).addToData("a", "2").build());
        observing.apply(configMap("seen"));
        gadget.setStatus(new Gadget.Status());
        gadget.getStatus().phase = "Ready";
        observing.status().update(gadget);
        observing.scale().set(gadget, 7);
        observing.create(new SecretBuilder()
                .withMetadata(named("hidden"))
                .addToStringData("k", "hunter2")
                .build());
        observing.delete(configMap("seen"));

        assertThat(observed)
                .extracting(w -> w.verb().word() + " " + w.effect() + " " + w.subresource())
                .containsExactly(
                        "create CREATED ",
                        "apply CHANGED ",
                        "update CHANGED status",
                        "patch CHANGED scale",
                        "create CREATED ",
                        "delete DELETED ");
        assertThat(observed.get(1).changes()).containsExactly(new ObservedWrite.Change("data.a", "\"1\"", "\"2\""));
        assertThat(observed.get(2).changes())
                .containsExactly(new ObservedWrite.Change("status.phase", "", "\"Ready\""));
        assertThat(observed.get(3).changes()).containsExactly(new ObservedWrite.Change("spec.replicas", "1", "7"));
        assertThat(observed.toString()).doesNotContain("hunter2", "aHVudGVyMg");
        assertThat(client.get(ConfigMap.class, key("new"))).isEmpty();
        assertThat(client.get(ConfigMap.class, key("seen")).orElseThrow().getData())
                .containsEntry("a", "1");
        assertThat(client.get(Gadget.class, key("seen")).orElseThrow().getStatus())
                .isNull();
    }

    @Test
    void clusterScopedObjectsAreCreatedReadAndDeleted() {
        String name = namespace + "-more";
        Namespace created = client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
        assertThat(client.get(Namespace.class, ObjectKey.ofName(name))).isPresent();
        assertThat(client.live().list(Namespace.class, ListOptions.all()))
                .extracting(n -> n.getMetadata().getName())
                .contains(name, namespace);
        assertThat(client.delete(created)).isTrue();
        assertThat(told).contains("written namespaces");
        await("end of the namespace")
                .atMost(PATIENCE)
                .until(() -> client.get(Namespace.class, ObjectKey.ofName(name)).isEmpty());
    }

    @Test
    void definitionInstalledLaterIsDiscovered() {
        String group = namespace + ".example";
        GroupVersionKind kind = GroupVersionKind.of(group + "/v1", "Gadget");
        assertThat(client.discovery().find(kind)).isEmpty();
        GenericKubernetesResource definition = client.create(new KubernetesSerialization()
                .unmarshal(Gadget.CRD.replace("client.test.reconciler4j.io", group), GenericKubernetesResource.class));
        await("discovery of the new kind")
                .atMost(PATIENCE)
                .until(() -> client.discovery().find(kind).isPresent());
        client.delete(definition);
    }
}
