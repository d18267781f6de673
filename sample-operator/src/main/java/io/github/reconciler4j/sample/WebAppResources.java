package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the objects that the operator applies for a {@link WebApp}. */
final class WebAppResources {

    static final String NAME_LABEL = "app.kubernetes.io/name";
    static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";
    static final String FILES_CHECKSUM = WebApp.GROUP + "/files-checksum";
    static final String SECRET_CHECKSUM = WebApp.GROUP + "/secret-checksum";

    private static final String FILES_PATH = "/etc/webapp";

    private WebAppResources() {}

    /** Return the labels that select the pods of an application. */
    static Map<String, String> selector(WebApp app) {
        return Map.of(NAME_LABEL, app.getMetadata().getName());
    }

    static ConfigMap configMap(WebApp app) {
        return new ConfigMapBuilder()
                .withMetadata(metadata(app))
                .withData(app.getSpec().getFiles())
                .build();
    }

    static Service service(WebApp app) {
        return new ServiceBuilder()
                .withMetadata(metadata(app))
                .withNewSpec()
                .withSelector(selector(app))
                .addNewPort()
                .withName("http")
                .withProtocol("TCP")
                .withPort(80)
                .withNewTargetPort("http")
                .endPort()
                .endSpec()
                .build();
    }

    /**
     * Return the Deployment.
     *
     * @param secretChecksum the checksum of the Secret, whose change rolls the pods; {@code ""} without a Secret
     */
    static Deployment deployment(WebApp app, String secretChecksum) {
        return new DeploymentBuilder()
                .withMetadata(metadata(app))
                .withNewSpec()
                .withReplicas(app.getSpec().getReplicas())
                .withNewSelector()
                .withMatchLabels(selector(app))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels(app))
                .withAnnotations(checksums(app, secretChecksum))
                .endMetadata()
                .withSpec(pod(app))
                .endTemplate()
                .endSpec()
                .build();
    }

    private static PodSpec pod(WebApp app) {
        WebAppSpec spec = app.getSpec();
        PodSpecBuilder pod = new PodSpecBuilder()
                .addNewContainer()
                .withName("app")
                .withImage(spec.getImage())
                .withEnv(environment(spec))
                .addNewPort()
                .withName("http")
                .withProtocol("TCP")
                .withContainerPort(spec.getPort())
                .endPort()
                .addNewVolumeMount()
                .withName("files")
                .withMountPath(FILES_PATH)
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("files")
                .withNewConfigMap()
                .withName(app.getMetadata().getName())
                .withOptional(true) // absent without files
                .endConfigMap()
                .endVolume();
        if (spec.getSecretName() != null) {
            pod.editFirstContainer()
                    .addNewEnvFrom()
                    .withNewSecretRef()
                    .withName(spec.getSecretName())
                    .endSecretRef()
                    .endEnvFrom()
                    .endContainer();
        }
        return pod.build();
    }

    private static List<EnvVar> environment(WebAppSpec spec) {
        return spec.getEnvironment().entrySet().stream()
                .map(entry -> new EnvVar(entry.getKey(), entry.getValue(), null))
                .toList();
    }

    private static ObjectMeta metadata(WebApp app) {
        return new ObjectMetaBuilder()
                .withName(app.getMetadata().getName())
                .withLabels(labels(app))
                .build();
    }

    private static Map<String, String> labels(WebApp app) {
        return Map.of(NAME_LABEL, app.getMetadata().getName(), MANAGED_BY_LABEL, "sample-operator");
    }

    private static Map<String, String> checksums(WebApp app, String secretChecksum) {
        Map<String, String> checksums = new LinkedHashMap<>();
        checksums.put(FILES_CHECKSUM, Checksum.of(app.getSpec().getFiles()));
        if (!secretChecksum.isEmpty()) {
            checksums.put(SECRET_CHECKSUM, secretChecksum);
        }
        return checksums;
    }
}
