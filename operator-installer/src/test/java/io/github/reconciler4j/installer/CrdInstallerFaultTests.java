package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions that are broken, refused or being deleted, and an API server that fails while they are installed. */
@Timeout(180)
class CrdInstallerFaultTests {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final RequestMatch DEFINITIONS = RequestMatch.any().kind("CustomResourceDefinition");

    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    private final Manager manager = Manager.create(
            server.clientConfig(),
            ManagerOptions.defaults()
                    .withName("widgets")
                    .withLifecycle(LifecycleOptions.defaults()
                            .withRetryDelays(Duration.ofMillis(50), Duration.ofMillis(200))));

    @AfterEach
    void stop() {
        manager.close();
        admin.close();
        server.close();
    }

    private static CustomResourceDefinition definition(String kind) {
        return new KubernetesSerialization()
                .unmarshal(Definitions.of("example.com", kind), CustomResourceDefinition.class);
    }

    private static String name(String kind) {
        return DefinitionState.name(definition(kind));
    }

    private CustomResourceDefinition live(String kind) {
        return admin.resources(CustomResourceDefinition.class)
                .withName(name(kind))
                .get();
    }

    private CrdInstaller installer(String... kinds) {
        return CrdInstaller.addTo(
                manager,
                Stream.of(kinds).map(CrdInstallerFaultTests::definition).toList(),
                CrdInstallerOptions.defaults()
                        .withTimeout(Duration.ofSeconds(20))
                        .withMigrateStorage(false));
    }

    private void fail(RequestMatch requests, Fault fault) {
        server.faults().add(FaultRule.of(requests, fault));
    }

    static List<Fault> passing() {
        return List.of(
                Fault.unavailable(),
                Fault.internalError(),
                Fault.timeout(),
                Fault.unauthorized(),
                Fault.forbidden(),
                Fault.conflict(),
                Fault.tooManyRequests(Duration.ZERO),
                Fault.cut(Fault.CutPoint.AFTER),
                new Fault.Respond(404, "", "<html>no such page</html>", Map.of()),
                new Fault.Respond(301, "", "moved", Map.of("Location", "http://elsewhere.invalid/")));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void startWhenTheServerFailsForAWhileIsRepeated(Fault fault) {
        installer("Widget");
        fail(DEFINITIONS, fault);

        manager.start();
        await("a failed start")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(manager.status().components())
                        .filteredOn(component -> component.name().equals("crd-installer"))
                        .singleElement()
                        .satisfies(component -> assertThat(component.detail()).contains(name("Widget"))));
        assertThat(manager.status().running()).isTrue();

        server.faults().clear();
        await("the definition").atMost(LONG).until(() -> live("Widget") != null);
    }

    @Test
    void startWhenTheServerRefusesOneDefinitionInstallsTheOthers() {
        CrdInstaller installer = installer("Widget", "Gadget");
        fail(DEFINITIONS.name(name("Widget")), Fault.forbidden());

        assertThatThrownBy(installer::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("the definition " + name("Widget") + " cannot be installed");
        assertThat(live("Gadget")).isNotNull();
    }

    @Test
    void startWhenTheServerFindsADefinitionInvalidSaysWhy() {
        CrdInstaller installer = installer("Widget");
        fail(
                RequestMatch.verbs("create").kind("CustomResourceDefinition"),
                new Fault.Respond(422, "Invalid", "spec.names: Required value", Map.of()));

        assertThatThrownBy(installer::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the API server refuses the definition " + name("Widget"))
                .hasMessageContaining("spec.names: Required value");
    }

    static List<Fault> transients() {
        return List.of(
                Fault.unavailable(),
                Fault.internalError(),
                Fault.timeout(),
                Fault.tooManyRequests(Duration.ZERO),
                Fault.cut(Fault.CutPoint.BEFORE));
    }

    @ParameterizedTest
    @MethodSource("transients")
    void startWhenTheServerFailsWhileTheDefinitionIsAwaitedContinuesToWait(Fault fault) throws Exception {
        CrdInstaller installer = installer("Widget");
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("get").kind("CustomResourceDefinition"), fault)
                        .after(1)
                        .times(4)); // the client retries some of them itself

        try (CapturedLog log = CapturedLog.of(CrdInstaller.class.getName())) {
            installer.start();

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(name("Widget")
                            + " is not usable yet, looking again every few seconds: the API server does not say");
        }
    }

    @Test
    void startWhenTheServerRefusesToReturnTheDefinitionEndsTheAttempt() {
        CrdInstaller installer = installer("Widget");
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("get").kind("CustomResourceDefinition"), Fault.forbidden())
                        .after(1));

        assertThatThrownBy(installer::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("the definition " + name("Widget") + " cannot be installed");
    }

    /** The rule keeps the installer waiting until the definition has been deleted. */
    private CompletableFuture<Void> deleteWhileAwaited(CrdInstaller installer, boolean gone, Runnable beforeDeletion) {
        RequestMatch reads = RequestMatch.verbs("get").kind("CustomResourceDefinition");
        server.faults().add(FaultRule.of(reads, Fault.internalError()).after(1));
        Runnable installation = () -> {
            try {
                installer.start();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        };
        // the common pool may have a single thread, and the client of the test needs it
        CompletableFuture<Void> start = CompletableFuture.runAsync(installation, task -> new Thread(task).start());
        await("the wait").atMost(LONG).until(() -> server.requests().count(reads) > 2);
        beforeDeletion.run();
        admin.resource(definition("Widget")).delete();
        if (gone) {
            await("the end of the definition")
                    .atMost(LONG)
                    .until(() -> admin.resources(CustomResourceDefinition.class)
                            .list()
                            .getItems()
                            .isEmpty());
        }
        server.faults().clear();
        return start;
    }

    @Test
    void startWhenTheDefinitionIsDeletedWhileItIsAwaitedInstallsItAgain() {
        String[] uid = new String[1];
        CompletableFuture<Void> start = deleteWhileAwaited(
                installer("Widget"),
                true,
                () -> uid[0] = admin.resources(CustomResourceDefinition.class)
                        .list()
                        .getItems()
                        .get(0)
                        .getMetadata()
                        .getUid());

        assertThat(start).succeedsWithin(LONG);
        assertThat(live("Widget").getMetadata().getUid()).isNotEqualTo(uid[0]);
    }

    @Test
    void startWhenTheDefinitionIsBeingDeletedWhileItIsAwaitedNamesItsFinalizers() {
        CompletableFuture<Void> start = deleteWhileAwaited(installer("Widget"), false, this::createHeldWidget);

        assertThat(start)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(ComponentNotReadyException.class)
                .withMessageContaining(name("Widget") + " is being deleted")
                .withMessageContaining("[customresourcecleanup.apiextensions.k8s.io]");
    }

    private void createHeldWidget() {
        GenericKubernetesResource held = new KubernetesSerialization()
                .unmarshal(
                        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: held, namespace: default,"
                                + " finalizers: [example.com/block]}",
                        GenericKubernetesResource.class);
        await("the kind")
                .atMost(LONG)
                .ignoreExceptions()
                .until(() -> admin.resource(held).create() != null);
    }

    @Test
    void startWhenTheDefinitionIsBeingDeletedInstallsItAgainAfterwards() {
        admin.resource(definition("Widget")).create();
        createHeldWidget();
        String uid = live("Widget").getMetadata().getUid();
        admin.resource(definition("Widget")).delete();
        CrdInstaller installer = installer("Widget");

        assertThatThrownBy(installer::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining(name("Widget") + " is being deleted")
                .hasMessageContaining("Its finalizers are [customresourcecleanup.apiextensions.k8s.io]");

        manager.start();
        admin.genericKubernetesResources("example.com/v1", "Widget")
                .inNamespace("default")
                .withName("held")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        await("another definition")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(live("Widget"))
                        .isNotNull()
                        .satisfies(now -> assertThat(now.getMetadata().getUid()).isNotEqualTo(uid)));
    }

    private static Arguments broken(String problem, Consumer<CustomResourceDefinition> change) {
        return Arguments.of(problem, change);
    }

    static List<Arguments> broken() {
        return List.of(
                broken("metadata.name", definition -> definition.setMetadata(null)),
                broken("metadata.name", definition -> definition.getMetadata().setName(" ")),
                broken("spec.group", definition -> definition.setSpec(null)),
                broken("spec.group", definition -> definition.getSpec().setGroup("")),
                broken("spec.names", definition -> definition.getSpec().setNames(null)),
                broken(
                        "spec.names",
                        definition -> definition.getSpec().getNames().setPlural(null)),
                broken("spec.versions", definition -> definition.getSpec().setVersions(null)),
                broken("spec.versions", definition -> definition.getSpec().setVersions(List.of())),
                broken(
                        "spec.versions",
                        definition -> definition.getSpec().setVersions(Collections.singletonList(null))),
                broken(
                        "spec.versions",
                        definition -> definition.getSpec().getVersions().get(0).setName(null)),
                broken(
                        "spec.versions",
                        definition -> definition.getSpec().getVersions().get(0).setStorage(false)));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void addToWhenADefinitionIsBrokenSaysWhatIsMissing(String problem, Consumer<CustomResourceDefinition> change) {
        CustomResourceDefinition definition = definition("Widget");
        change.accept(definition);

        assertThatThrownBy(() -> CrdInstaller.addTo(manager, List.of(definition), CrdInstallerOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'definitions'")
                .hasMessageContaining(problem);
    }

    @Test
    void addToWhenTwoDefinitionsHaveOneNameIsRefused() {
        assertThatThrownBy(() -> installer("Widget", "Widget"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two have the name " + name("Widget"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "spec: null", "spec: {}", "spec: {group: example.com, versions: null}"})
    void readWhenTheServerReturnsNoCompleteDefinitionFails(String rest) {
        CustomResourceDefinition live = new KubernetesSerialization()
                .unmarshal(
                        "apiVersion: apiextensions.k8s.io/v1\n"
                                + "kind: CustomResourceDefinition\n"
                                + "metadata: {name: widgets.example.com}\n"
                                + rest,
                        CustomResourceDefinition.class);

        assertThat(DefinitionState.problem(live)).isNotEmpty();
        assertThat(DefinitionState.problem(definition("Widget"))).isEmpty();
    }
}
