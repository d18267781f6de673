package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Objects are stored in the version of the new definition before the old version is dropped: by the controller manager of the
 * server where there are StorageVersionMigrations, else by the operator.
 */
@RealKubernetesTest
class StorageMigrationIntegrationTests {

    private static final List<String> OBJECTS = List.of("one", "two", "three");
    private static final String NAME = "gadgets.install.example.com";

    private final RealKubernetes kubernetes;
    private final String namespace;

    StorageMigrationIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        namespace = kubernetes.createNamespace("migration");
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

    private static Manager start(RealKubernetes kubernetes, String release, CustomResourceDefinition definition) {
        Manager manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults().withName("gadgets").withVersion(release));
        CrdInstaller.addTo(manager, List.of(definition), CrdInstallerOptions.defaults());
        manager.start();
        return manager;
    }

    @Test
    void versionWhenDroppedIsRemovedAfterTheServerHasMigratedItsObjects() {
        assertThat(kubernetes.kubectl("api-versions")).contains("storagemigration.k8s.io/v1");

        assertMigrated(kubernetes, namespace);
    }

    /** As before Kubernetes 1.37, whose controller for migrations is the first that is enabled by default. */
    @Test
    void versionWhenDroppedAndTheServerCannotMigrateIsRemovedAfterTheOperatorHasPatchedItsObjects() {
        try (RealKubernetes old = RealKubernetes.start(RealKubernetesOptions.defaults()
                .withOnly()
                .withArgument(KubernetesComponent.APISERVER, "--runtime-config=storagemigration.k8s.io/v1=false"))) {
            assertThat(old.kubectl("api-versions")).doesNotContain("storagemigration");

            assertMigrated(old, "default");
        }
    }

    private static void assertMigrated(RealKubernetes kubernetes, String namespace) {
        start(kubernetes, "1.0", definition("v1alpha1")).close();
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
        String before = get(kubernetes, namespace, "v1alpha1", ".metadata.resourceVersion");

        try (Manager second = start(kubernetes, "2.0", definition("v1"));
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(kubernetes.config())
                        .build()) {
            assertThat(second.isRunning()).isTrue();
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                CustomResourceDefinition live = client.resources(CustomResourceDefinition.class)
                        .withName(NAME)
                        .get();
                assertThat(live.getStatus().getStoredVersions()).containsExactly("v1");
                assertThat(live.getSpec().getVersions())
                        .extracting(version -> version.getName())
                        .containsExactly("v1");
            });
        }
        assertThat(get(kubernetes, namespace, "v1", ".spec.a")).isEqualTo("x x x");
        assertThat(get(kubernetes, namespace, "v1", ".metadata.resourceVersion").split(" "))
                .as("each object was written again")
                .hasSize(OBJECTS.size())
                .doesNotContain(before.split(" "));
    }

    /** Returns a field of all objects. */
    private static String get(RealKubernetes kubernetes, String namespace, String version, String path) {
        return kubernetes.kubectl(
                "-n",
                namespace,
                "get",
                "gadgets." + version + ".install.example.com",
                "-o",
                "jsonpath={.items[*]" + path + "}");
    }
}
