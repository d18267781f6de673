package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StorageMigrationTests {

    private static final String NAME = "widgets.example.com";
    private static final RequestMatch WIDGET_PATCHES =
            RequestMatch.verbs("patch").kind("Widget");

    private static final Duration LONG = Duration.ofSeconds(60);

    /** Without the wait for requests that started before the definition changed. */
    static final CrdInstaller.Pace FAST = new CrdInstaller.Pace(
            Duration.ofMillis(20), Duration.ZERO, Backoff.of(Duration.ofMillis(200), Duration.ofSeconds(1)));

    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    private final List<Manager> managers = new ArrayList<>();

    @AfterEach
    void stop() {
        managers.forEach(Manager::close);
        admin.close();
        server.close();
    }

    private static CustomResourceDefinition definition(String version) {
        return definition("example.com", "Widget", version, "");
    }

    static CustomResourceDefinition definition(String group, String kind, String version, String annotations) {
        return new KubernetesSerialization()
                .unmarshal(
                        """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %3$ss.%1$s, annotations: {%5$s}}
                spec:
                  group: %1$s
                  scope: %6$s
                  names: {kind: %2$s, plural: %3$ss, singular: %3$s, listKind: %2$sList}
                  versions:
                  - name: %4$s
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(
                                        group,
                                        kind,
                                        kind.toLowerCase(),
                                        version,
                                        annotations,
                                        annotations.isEmpty() ? "Namespaced" : "Cluster"),
                        CustomResourceDefinition.class);
    }

    private void start(String release, String version) {
        start(release, version, CrdInstallerOptions.defaults(), TimeSource.system());
    }

    private void start(String release, String version, CrdInstallerOptions options, TimeSource time) {
        start(release, definition(version), options, time);
    }

    private void start(
            String release, CustomResourceDefinition definition, CrdInstallerOptions options, TimeSource time) {
        Manager manager = manager(release, time);
        CrdInstaller.addTo(manager, List.of(definition), options, FAST);
        manager.start();
        await("the definition of " + release).atMost(LONG).until(() -> {
            CustomResourceDefinition live = live();
            return live != null
                    && DefinitionState.changedVersions(definition, live).isEmpty()
                    && DefinitionState.notEstablished(live).isEmpty();
        });
    }

    private Manager manager(String release, TimeSource time) {
        Manager manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withName("widgets")
                        .withVersion(release)
                        .withTimeSource(time));
        managers.add(manager);
        return manager;
    }

    private void createOld() {
        GenericKubernetesResource old = new KubernetesSerialization()
                .unmarshal(
                        "apiVersion: example.com/v1alpha1\nkind: Widget\nmetadata: {name: old, namespace: default}\nspec: {a: x}",
                        GenericKubernetesResource.class);
        admin.resource(old).create();
    }

    private CustomResourceDefinition live() {
        return admin.resources(CustomResourceDefinition.class).withName(NAME).get();
    }

    private void awaitDropped() {
        await("v1alpha1 is dropped").atMost(LONG).untilAsserted(() -> {
            assertThat(live().getStatus().getStoredVersions()).containsExactly("v1");
            assertThat(live().getSpec().getVersions())
                    .extracting(version -> version.getName())
                    .containsExactly("v1");
        });
    }

    @Test
    void versionWhenDroppedStaysUnservedUntilItsObjectsAreMigrated() {
        start("1.0", "v1alpha1");
        createOld();

        start("2.0", "v1");

        awaitDropped();
        assertThat(admin.genericKubernetesResources("example.com/v1", "Widget")
                        .inNamespace("default")
                        .withName("old")
                        .get()
                        .<Map<String, Object>>get("spec"))
                .isEqualTo(Map.of("a", "x"));
        assertThat(server.requests().count(WIDGET_PATCHES)).isEqualTo(1);
    }

    private void refuseOld() {
        server.faults().add(FaultRule.of(WIDGET_PATCHES.name("old"), Fault.forbidden()));
    }

    private void awaitRefusal() {
        long before = server.requests().count(WIDGET_PATCHES);
        await("two more attempts").atMost(LONG).until(() -> server.requests().count(WIDGET_PATCHES) >= before + 2);
    }

    /** As a StorageVersionMigration does that has failed. */
    private void trimStoredVersions() {
        admin.resources(CustomResourceDefinition.class)
                .withName(NAME)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"storedVersions\": [\"v1\"]}}");
    }

    private List<String> versions() {
        return live().getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
    }

    @Test
    void versionWhenStoredVersionsNoLongerNameItStaysUntilItsObjectsAreRewritten() {
        start("1.0", "v1alpha1");
        createOld();
        refuseOld();
        start("2.0", "v1");
        awaitRefusal();

        trimStoredVersions();
        awaitRefusal();
        managers.get(1).close();
        start("2.1", "v1");
        awaitRefusal();

        assertThat(versions()).containsExactly("v1", "v1alpha1");
        server.faults().clear();
        awaitDropped();
    }

    @Test
    void versionWhenTheMigrationIsDisabledStaysUntilSomeoneRemovesIt() {
        start("1.0", "v1alpha1");
        createOld();
        start("2.0", "v1", CrdInstallerOptions.defaults().withMigrateStorage(false), TimeSource.system());
        trimStoredVersions();

        start("2.1", "v1", CrdInstallerOptions.defaults().withMigrateStorage(false), TimeSource.system());

        assertThat(versions()).containsExactly("v1", "v1alpha1");
        assertThat(server.requests().count(WIDGET_PATCHES)).isZero();
    }

    @Test
    void versionThatObjectsWereNeverStoredInIsRemovedByTheMigration() {
        start("1.0", "v1");
        CustomResourceDefinition live = live();
        live.getSpec()
                .getVersions()
                .add(new CustomResourceDefinitionVersionBuilder(
                                live.getSpec().getVersions().get(0))
                        .withName("v9")
                        .withStorage(false)
                        .build());
        admin.resource(live).update();

        start("1.1", "v1");

        awaitDropped();
    }

    @Test
    void migrationWhenANewerOperatorHasAppliedTheDefinitionIsLeftToIt() throws Exception {
        start("1.0", "v1alpha1");
        createOld();
        refuseOld();
        start("2.0", "v1");
        managers.get(1).close();
        Manager old = manager("1.0", TimeSource.system());
        CrdInstaller installer =
                CrdInstaller.addTo(old, List.of(definition("v1alpha1")), CrdInstallerOptions.defaults(), FAST);
        server.faults().clear();

        assertThat(((StorageMigration) installer.companions().get(0)).migrate(definition("v1alpha1")))
                .isTrue();

        assertThat(versions()).containsExactly("v1", "v1alpha1");
        assertThat(live().getStatus().getStoredVersions()).containsExactly("v1alpha1", "v1");
    }

    @Test
    void migrationWhenTheStorageVersionIsNotServedReadsObjectsInOneThatIs() {
        start("1.0", "v1alpha1");
        createOld();
        CustomResourceDefinition two = definition("v1");
        two.getSpec()
                .getVersions()
                .add(new CustomResourceDefinitionVersionBuilder(
                                two.getSpec().getVersions().get(0))
                        .withName("v2")
                        .withServed(false)
                        .build());
        two.getSpec().getVersions().get(0).setStorage(false);
        start("2.0", two, CrdInstallerOptions.defaults(), TimeSource.system());

        await("v1alpha1 is dropped")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(versions()).containsExactly("v1", "v2"));
        assertThat(live().getStatus().getStoredVersions()).containsExactly("v2");
    }

    @Test
    void migrationWaitsUntilRequestsHaveEndedThatStartedBeforeTheDefinitionChanged() {
        start("1.0", "v1alpha1");
        createOld();
        CountingTime time = new CountingTime();
        Manager manager = manager("2.0", time);
        CrdInstaller.addTo(manager, List.of(definition("v1")), CrdInstallerOptions.defaults());
        try (CapturedLog log = CapturedLog.of(StorageMigration.class.getName())) {
            manager.start();
            await("the start of the wait")
                    .atMost(LONG)
                    .until(() ->
                            log.lines(Level.INFO).stream().anyMatch(line -> line.contains("Migrating the objects")));
        }
        time.awaitTwoLooks();

        time.advance(Duration.ofSeconds(64));
        time.awaitTwoLooks();
        assertThat(server.requests().count(WIDGET_PATCHES)).isZero();

        time.advance(Duration.ofSeconds(1));
        awaitDropped();
        assertThat(server.requests().count(WIDGET_PATCHES)).isEqualTo(1);
    }

    private static CustomResourceDefinition charts() {
        CustomResourceDefinition definition = definition("v1");
        definition
                .getSpec()
                .getVersions()
                .add(new CustomResourceDefinitionVersionBuilder(
                                definition.getSpec().getVersions().get(0))
                        .withName("v1alpha1")
                        .withStorage(false)
                        .build());
        return definition;
    }

    @Test
    void migrationWhenAChartInstallsTheDefinitionRewritesObjectsAndNothingElse() {
        start("1.0", "v1alpha1");
        createOld();
        managers.get(0).close();
        CustomResourceDefinition installed = live();
        installed.setSpec(charts().getSpec());
        long generation = admin.resource(installed).update().getMetadata().getGeneration();
        Manager manager = manager("2.0", TimeSource.system());
        CrdInstallerOptions options = CrdInstallerOptions.defaults().withInstall(false);
        CrdInstaller installer = CrdInstaller.addTo(manager, List.of(definition("v1")), options, FAST);

        manager.start();

        await("the objects are rewritten")
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(live().getStatus().getStoredVersions()).containsExactly("v1"));
        assertThat(server.requests().count(WIDGET_PATCHES)).isEqualTo(1);
        assertThat(live().getMetadata().getGeneration()).isEqualTo(generation);
        assertThat(versions()).containsExactly("v1", "v1alpha1");
        assertThat(installer.requiredPermissions())
                .extracting(permission -> permission.verbs().toString())
                .containsExactly("[get]");
    }

    @Test
    void migrationWhenTheChartsDefinitionIsMissingSaysSoAndWaitsForIt() {
        Manager manager = manager("2.0", TimeSource.system());
        CrdInstallerOptions options = CrdInstallerOptions.defaults().withInstall(false);
        CrdInstaller.addTo(manager, List.of(definition("v1")), options, FAST);
        try (CapturedLog log = CapturedLog.of(StorageMigration.class.getName())) {
            manager.start();
            await("the reason")
                    .atMost(LONG)
                    .until(() -> log.lines(Level.WARN).stream()
                            .anyMatch(line -> line.contains(NAME + " does not exist: install it with the chart")));
        }
        assertThat(live()).isNull();
    }
}
