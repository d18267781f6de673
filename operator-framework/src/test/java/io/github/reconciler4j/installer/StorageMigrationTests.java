package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.fixtures.FastTimeSource;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
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
        start(release, version, new FastTimeSource());
    }

    private void start(String release, String version, TimeSource time) {
        Manager manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withName("widgets")
                        .withVersion(release)
                        .withTimeSource(time));
        managers.add(manager);
        CrdInstaller.addTo(manager, List.of(definition(version)), CrdInstallerOptions.defaults());
        manager.start();
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

    /** Starts a release that drops a version, on a server that migrates objects. */
    private Resource<GenericKubernetesResource> startMigrationByServer(TimeSource time) {
        admin.resource(definition(
                        "storagemigration.k8s.io",
                        "StorageVersionMigration",
                        "v1",
                        "api-approved.kubernetes.io: unapproved"))
                .create();
        start("1.0", "v1alpha1");
        createOld();
        start("2.0", "v1", time);
        Resource<GenericKubernetesResource> migration = admin.genericKubernetesResources(
                        "storagemigration.k8s.io/v1", "StorageVersionMigration")
                .withName(NAME);
        await("migration").atMost(LONG).until(() -> {
            if (time instanceof ManualTimeSource clock) {
                clock.advance(Duration.ofMillis(500)); // until what waits before the migration has waited
            }
            return migration.get() != null;
        });
        assertThat(server.requests().count(WIDGET_PATCHES)).isZero();
        return migration;
    }

    private static void report(Resource<GenericKubernetesResource> migration, String condition) {
        migration
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\": {\"conditions\": [{\"type\": \"" + condition + "\", \"status\": \"True\"}]}}");
    }

    /** The first read may have been on its way, the second one was sent after it. */
    private void awaitTwoLooksAtTheMigration() {
        RequestMatch reads = RequestMatch.verbs("get").kind("StorageVersionMigration");
        long before = server.requests().count(reads);
        await("reads").atMost(LONG).until(() -> server.requests().count(reads) >= before + 2);
    }

    @Test
    void migrationWhenTheServerHasNotStartedItAfterTwoMinutesIsDoneByPatches() {
        ManualTimeSource time = new ManualTimeSource();
        Resource<GenericKubernetesResource> migration = startMigrationByServer(time);
        awaitTwoLooksAtTheMigration();

        time.advance(Duration.ofSeconds(118));
        awaitTwoLooksAtTheMigration();
        assertThat(server.requests().count(WIDGET_PATCHES)).isZero();

        time.advance(Duration.ofSeconds(2));
        awaitDropped();
        assertThat(server.requests().count(WIDGET_PATCHES)).isEqualTo(1);
        assertThat(migration.get()).isNull();
    }

    @Test
    void migrationWhenTheServerHasNotEndedItAfterAnHourIsDoneByPatches() {
        ManualTimeSource time = new ManualTimeSource();
        Resource<GenericKubernetesResource> migration = startMigrationByServer(time);
        report(migration, "Running");
        awaitTwoLooksAtTheMigration();

        time.advance(Duration.ofMinutes(59));
        awaitTwoLooksAtTheMigration();
        assertThat(server.requests().count(WIDGET_PATCHES)).isZero();

        time.advance(Duration.ofMinutes(1));
        awaitDropped();
        assertThat(server.requests().count(WIDGET_PATCHES)).isEqualTo(1);
        assertThat(migration.get()).isNull();
    }

    @Test
    void objectsThatTheServerHasMissedArePatchedBeforeTheVersionIsRemoved() {
        Resource<GenericKubernetesResource> migration = startMigrationByServer(new FastTimeSource());
        admin.resources(CustomResourceDefinition.class)
                .withName(NAME)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"storedVersions\": [\"v1\"]}}");
        report(migration, "Succeeded");

        awaitDropped();
        assertThat(server.requests().count(WIDGET_PATCHES)).isEqualTo(1);
    }
}
