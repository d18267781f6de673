package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A real server migrates stored objects itself, which its controller manager does when it finds a StorageVersionMigration. */
@RealKubernetesTest
class StorageMigrationIntegrationTests {

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

    private Manager start(String release, CustomResourceDefinition definition) {
        Manager manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults().withName("gadgets").withVersion(release));
        CrdInstaller.addTo(manager, List.of(definition), CrdInstallerOptions.defaults());
        manager.start();
        return manager;
    }

    @Test
    void versionWhenDroppedIsRemovedAfterItsObjectsAreMigrated() {
        start("1.0", definition("v1alpha1")).close();
        kubernetes.kubectlWithInput(
                "{apiVersion: install.example.com/v1alpha1, kind: Gadget, metadata: {name: old}, spec: {a: x}}",
                "-n",
                namespace,
                "apply",
                "-f",
                "-");

        try (Manager second = start("2.0", definition("v1"));
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
            assertThat(kubernetes.kubectl(
                            "-n",
                            namespace,
                            "get",
                            "gadgets.v1.install.example.com",
                            "old",
                            "-o",
                            "jsonpath={.spec.a}"))
                    .isEqualTo("x");
        }
    }
}
