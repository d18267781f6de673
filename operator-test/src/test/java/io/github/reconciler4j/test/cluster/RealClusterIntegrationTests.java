package io.github.reconciler4j.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.expect.ObjectExpectation;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test's cluster when it is a real one: one that is there, and one started from its programs. */
@RealKubernetesTest
class RealClusterIntegrationTests {
    private static final TestClusterOptions OPTIONS =
            TestClusterOptions.defaults().withDefinitions(List.of("definitions"));
    private static final String KUBECONFIG = "kubeconfig";
    private static final String FINALIZER = "example.com/block";

    private final RealKubernetes kubernetes;

    RealClusterIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @BeforeEach
    void setPlaces() {
        System.setProperty(KUBECONFIG, kubernetes.kubeconfig().toString());
        System.setProperty(Backend.ASSETS_PROPERTY, kubernetes.binaries().toString());
    }

    @AfterEach
    void restoreChoice() {
        List.of(KUBECONFIG, Backend.PROPERTY, Backend.ASSETS_PROPERTY).forEach(System::clearProperty);
    }

    @Test
    void clusterWhenItWasThereBeforeKeepsNothingOfTheTest() {
        System.setProperty(Backend.PROPERTY, "context:admin");
        String namespace;
        try (TestCluster cluster = TestCluster.start(OPTIONS)) {
            namespace = cluster.createNamespace("real");
            useMaps(cluster, namespace);
            createWithFinalizers(cluster, namespace);
            createWidget(cluster, "default", "elsewhere");
            cluster.client()
                    .namespaces()
                    .withName(namespace)
                    .edit(live -> new NamespaceBuilder(live)
                            .editMetadata()
                            .addToFinalizers(FINALIZER)
                            .endMetadata()
                            .build());
            assertThat(cluster.server()).isEmpty();
        }
        try (KubernetesClient admin =
                new KubernetesClientBuilder().withConfig(kubernetes.config()).build()) {
            new ObjectExpectation<>(admin, Namespace.class, null, namespace).toBeGone();
            new ObjectExpectation<>(admin, CustomResourceDefinition.class, null, "widgets.example.com").toBeGone();
        }
    }

    /** These finalizers stay because the operator has ended. */
    private static void createWithFinalizers(TestCluster cluster, String namespace) {
        createWidget(cluster, namespace, "kept");
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("kept")
                        .withNamespace(namespace)
                        .withFinalizers(FINALIZER)
                        .endMetadata()
                        .build())
                .create();
    }

    private static void createWidget(TestCluster cluster, String namespace, String name) {
        cluster.client().resource("""
            {"apiVersion": "example.com/v1", "kind": "Widget",
             "metadata": {"name": "%s", "namespace": "%s", "finalizers": ["%s"]}}
            """.formatted(name, namespace, FINALIZER)).create();
    }

    @Test
    void clusterWhenStartedFromItsProgramsKnowsTheOperatorByName() {
        System.setProperty(Backend.PROPERTY, "assets");
        try (TestCluster cluster = TestCluster.start(OPTIONS);
                KubernetesClient operator = new KubernetesClientBuilder()
                        .withConfig(cluster.operatorConfig())
                        .build()) {
            useMaps(cluster, cluster.createNamespace("real"));
            assertThat(operator.resource(new SelfSubjectReview())
                            .create()
                            .getStatus()
                            .getUserInfo()
                            .getUsername())
                    .isEqualTo(TestCluster.OPERATOR);
        }
        try (TestCluster second = TestCluster.start(OPTIONS)) {
            assertThat(second.client().getKubernetesVersion().getMajor()).isEqualTo("1");
        }
    }

    private static void useMaps(TestCluster cluster, String namespace) {
        cluster.client()
                .configMaps()
                .inNamespace(namespace)
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("map")
                        .endMetadata()
                        .addToData("key", "value")
                        .build())
                .create();
        cluster.expect(ConfigMap.class, namespace, "map").toHave("/data/key", "value");
        assertThat(cluster.client()
                        .genericKubernetesResources("example.com/v1", "Widget")
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .isEmpty();
    }

    @Test
    void startWhenAProgramEndsAtOnceTellsItsLastWords(@TempDir Path folder) throws IOException {
        script(folder.resolve("etcd"), "echo no room for etcd");
        script(folder.resolve("kube-apiserver"), "sleep 60");
        System.setProperty(Backend.PROPERTY, "assets");
        System.setProperty(Backend.ASSETS_PROPERTY, folder.toString());

        assertThatThrownBy(() -> TestCluster.start(OPTIONS)).hasMessageContaining("etcd.log:\nno room for etcd");
    }

    private static void script(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
