package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Default classes are those of the whole cluster, so no transcript may have one. Kubernetes 1.37 gave the same answers. */
class ClassDefaultsTests {
    private final KubernetesServer server = KubernetesServer.builder().start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();

    @BeforeEach
    void createClasses() {
        String template = """
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "example.com/p",
                 "metadata": {"name": "%s", "annotations": {"storageclass.kubernetes.io/is-default-class": "%s"}}}""";
        create(template.formatted("plain", false));
        create(template.formatted("one", true));
        create("""
                {"apiVersion": "networking.k8s.io/v1", "kind": "IngressClass", "spec": {"controller": "example.com/c"},
                 "metadata": {"name": "edge", "annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}}}""");
        create(priorityClass("usual"));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static String priorityClass(String name) {
        return """
                {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "%s"},
                 "value": 10, "globalDefault": true}""".formatted(name);
    }

    private HasMetadata create(String json) {
        HasMetadata object = client.getKubernetesSerialization().unmarshal(json);
        return client.resource(object).inNamespace("default").create();
    }

    private PersistentVolumeClaim claim(String annotation, String spec) {
        return (PersistentVolumeClaim) create("""
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"generateName": "a-", "annotations": {%s}},
                 "spec": {%s "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}""".formatted(annotation, spec));
    }

    private Ingress ingress(String annotation) {
        return (Ingress) create("""
                {"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": {"generateName": "a-", "annotations": {%s}},
                 "spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}}""".formatted(annotation));
    }

    @Test
    void claimWhenItNamesNoClassGetsTheDefaultClass() {
        String old = "\"volume.beta.kubernetes.io/storage-class\": \"x\"";

        assertThat(claim("", "").getSpec().getStorageClassName()).isEqualTo("one");
        assertThat(claim("", "\"storageClassName\": \"\",").getSpec().getStorageClassName())
                .isEmpty();
        assertThat(claim(old, "").getSpec().getStorageClassName()).isNull();
    }

    @Test
    void ingressWhenItNamesNoClassGetsTheDefaultClass() {
        String old = "\"kubernetes.io/ingress.class\": \"x\"";

        assertThat(ingress("").getSpec().getIngressClassName()).isEqualTo("edge");
        assertThat(ingress(old).getSpec().getIngressClassName()).isNull();
    }

    @Test
    void podWhenItNamesNoPriorityGetsTheDefaultPriority() {
        Pod pod = (Pod) create("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
                 "spec": {"containers": [{"name": "c", "image": "i"}]}}""");

        assertThat(pod.getSpec().getPriorityClassName()).isEqualTo("usual");
        assertThat(pod.getSpec().getPriority()).isEqualTo(10);
    }

    @Test
    void secondDefaultPriorityIsForbidden() {
        assertThatThrownBy(() -> create(priorityClass("second")))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(403))
                .hasMessageContaining("usual is already marked as default");
    }
}
