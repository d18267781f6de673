package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects are stored in the version of the new definition before the old version is dropped. */
@RealKubernetesTest(dedicated = true, components = KubernetesComponent.CONTROLLER_MANAGER)
class StorageMigrationIntegrationTests {

    private static final List<String> OBJECTS = List.of("one", "two", "three");
    private static final String NAME = "gadgets.install.example.com";

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String POLICY = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: gadgets.install.example.com}
            spec:
              matchConstraints:
                resourceRules:
                - {apiGroups: [install.example.com], apiVersions: ['*'], operations: [UPDATE], resources: [gadgets]}
              validations: [{expression: "object.metadata.name != 'two'", message: not this one}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: gadgets.install.example.com}
            spec: {policyName: gadgets.install.example.com, validationActions: [Deny]}
            """;
    private static final String MIGRATION = """
            apiVersion: storagemigration.k8s.io/v1
            kind: StorageVersionMigration
            metadata: {name: gadgets}
            spec: {resource: {group: install.example.com, resource: gadgets}}
            """;

    private final RealKubernetes kubernetes;
    private final KubernetesClient client;
    private final Etcd etcd;
    private final String namespace;

    StorageMigrationIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        namespace = kubernetes.createNamespace("migration");
        etcd = new Etcd(kubernetes.kubeconfig().getParent().resolve("etcd.sock"));
        client = new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
    }

    /** The group is deleted with all its objects, so that the next test starts with nothing. */
    @AfterEach
    void stop() {
        client.resources(CustomResourceDefinition.class).withName(NAME).delete();
        await().atMost(LONG).until(() -> live() == null);
        client.close();
    }

    private static CustomResourceDefinition definition(String version) {
        return new KubernetesSerialization().unmarshal("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: gadgets.install.example.com}
                spec:
                  group: install.example.com
                  scope: Namespaced
                  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}
                  versions:
                  - name: %s
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(version), CustomResourceDefinition.class);
    }

    private Manager start(String release, CustomResourceDefinition definition) {
        Manager manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults().withName("gadgets").withVersion(release));
        CrdInstaller.addTo(manager, List.of(definition), CrdInstallerOptions.defaults(), StorageMigrationTests.FAST);
        manager.start();
        return manager;
    }

    private void createObjects() {
        start("1.0", definition("v1alpha1")).close();
        for (String name : OBJECTS) {
            kubernetes.kubectlWithInput(
                    "{apiVersion: install.example.com/v1alpha1, kind: Gadget, metadata: {name: " + name
                            + "}, spec: {a: x}}",
                    "-n",
                    namespace,
                    "apply",
                    "-f",
                    "-");
        }
    }

    private CustomResourceDefinition live() {
        return client.resources(CustomResourceDefinition.class).withName(NAME).get();
    }

    private List<String> versions() {
        return live().getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
    }

    private void awaitDropped() {
        await().atMost(LONG).untilAsserted(() -> {
            assertThat(live().getStatus().getStoredVersions()).containsExactly("v1");
            assertThat(versions()).containsExactly("v1");
        });
        assertThat(etcd.versions("install.example.com").values()).containsExactly("v1", "v1", "v1");
        assertThat(get("v1", ".spec.a")).isEqualTo("x x x");
    }

    private boolean isRefused() {
        try {
            kubernetes.kubectl(
                    "-n", namespace, "annotate", "gadgets.install.example.com", "two", "a=b", "--dry-run=server");
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("not this one");
            return true;
        }
    }

    @Test
    void versionWhenDroppedIsRemovedAfterItsObjectsAreRewritten() {
        createObjects();
        String before = get("v1alpha1", ".metadata.resourceVersion");

        try (Manager second = start("2.0", definition("v1"))) {
            assertThat(second.status().running()).isTrue();
            awaitDropped();
        }
        assertThat(get("v1", ".metadata.resourceVersion").split(" "))
                .as("each object was written again")
                .hasSize(OBJECTS.size())
                .doesNotContain(before.split(" "));
    }

    /** Kubernetes says that a migration has failed, and that no object is stored in the former version. */
    @Test
    @NeedsKubernetes("1.37") // storagemigration.k8s.io/v1
    void versionWhenAMigrationOfTheServerHasFailedIsKeptUntilItsObjectsAreRewritten() {
        createObjects();
        kubernetes.restart(KubernetesComponent.CONTROLLER_MANAGER); // its garbage collector knows the kind then
        kubernetes.kubectlWithInput(POLICY, "apply", "-f", "-");
        await("the policy").atMost(LONG).until(this::isRefused);
        try (Manager second = start("2.0", definition("v1"))) {
            await().atMost(LONG)
                    .ignoreExceptions()
                    .until(() -> get("v1", ".metadata.name").equals("one three two"));
            kubernetes.kubectlWithInput(MIGRATION, "apply", "-f", "-");
            assertThat(second.status().running()).isTrue();
            await("the server gives up")
                    .atMost(LONG)
                    .until(() -> kubernetes
                            .kubectl("get", "storageversionmigration", "gadgets", "-o", "jsonpath={.status.conditions}")
                            .contains("\"Failed\""));
            await("the server says that no object is stored in the former version")
                    .atMost(LONG)
                    .until(() -> live().getStatus().getStoredVersions().equals(List.of("v1")));
        }
        try (CapturedLog log = CapturedLog.of(StorageMigration.class.getName());
                Manager third = start("2.1", definition("v1"))) {
            await("a refusal")
                    .atMost(LONG)
                    .until(() -> log.lines(Level.WARN).stream()
                            .anyMatch(line -> line.contains("1 of 3 objects of " + NAME)
                                    && line.contains(namespace + "/two")
                                    && line.contains("not this one")));
            assertThat(versions()).containsExactly("v1", "v1alpha1");
            assertThat(etcd.versions("install.example.com"))
                    .containsExactlyInAnyOrderEntriesOf(Map.of("one", "v1", "two", "v1alpha1", "three", "v1"));
            assertThat(get("v1", ".spec.a")).isEqualTo("x x x");

            kubernetes.kubectlWithInput(POLICY, "delete", "-f", "-");
            awaitDropped();
            assertThat(third.status().running()).isTrue();
        }
    }

    /** Returns a field of all objects. */
    private String get(String version, String path) {
        return kubernetes.kubectl(
                "-n",
                namespace,
                "get",
                "gadgets." + version + ".install.example.com",
                "-o",
                "jsonpath={.items[*]" + path + "}");
    }
}
