package io.github.reconciler4j.test.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import io.github.reconciler4j.test.junit.KubernetesExtension;
import io.github.reconciler4j.test.simulation.Simulator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SimulatorTests {
    @RegisterExtension
    static final KubernetesExtension KUBERNETES = new KubernetesExtension(TestClusterOptions.defaults()
            .withServer(server -> server.namespaceDeletionDelay(Duration.ZERO)
                    .simulators(Simulator.DEPLOYMENTS, Simulator.STATEFUL_SETS, Simulator.JOBS, Simulator.ENDPOINTS)));

    private static final Map<String, String> LABELS = Map.of("app", "web");

    private final TestCluster cluster;
    private final KubernetesClient client;
    private String namespace;

    SimulatorTests(TestCluster cluster) {
        this.cluster = cluster;
        client = cluster.client();
    }

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("simulators");
    }

    private static PodTemplateSpec template(String image) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(LABELS)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
    }

    private Deployment createDeployment(int replicas, String image) {
        return createDeployment(replicas, template(image));
    }

    private Deployment createDeployment(int replicas, PodTemplateSpec template) {
        return client.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .withMatchLabels(LABELS)
                        .endSelector()
                        .withTemplate(template)
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();
    }

    private Deployment awaitAvailable(int replicas) {
        return cluster.expect(Deployment.class, namespace, "web").toMatch("has rolled out", found -> {
            DeploymentStatus status = found.getStatus();
            return Objects.equals(
                            status.getObservedGeneration(), found.getMetadata().getGeneration())
                    && number(status.getAvailableReplicas()) == replicas
                    && number(status.getUpdatedReplicas()) == replicas
                    && number(status.getReplicas()) == replicas;
        });
    }

    /** Zeros are left out by the server. */
    private static int number(Integer value) {
        return value == null ? 0 : value;
    }

    @Test
    void deploymentWhenCreatedBecomesAvailableWithReadyPods() {
        createDeployment(2, "web:1");

        awaitAvailable(2);
        cluster.expect(Deployment.class, namespace, "web").toHaveCondition("Available", "True");
        assertThat(cluster.expectAll(Pod.class, namespace)
                        .withLabel("app", "web")
                        .toCount(2))
                .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));
    }

    @Test
    void deploymentWhenScaledHasAsManyPods() {
        createDeployment(1, "web:1");
        awaitAvailable(1);

        client.apps().deployments().inNamespace(namespace).withName("web").scale(3);
        awaitAvailable(3);
        client.apps().deployments().inNamespace(namespace).withName("web").scale(0);

        awaitAvailable(0);
        cluster.expectAll(Pod.class, namespace).toBeEmpty();
    }

    @Test
    void deploymentWhenItsTemplateChangesReplacesItsPods() {
        createDeployment(2, "web:1");
        awaitAvailable(2);

        client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName("web")
                .edit(deployment -> new DeploymentBuilder(deployment)
                        .editSpec()
                        .withTemplate(template("web:2"))
                        .endSpec()
                        .build());

        cluster.expectAll(Pod.class, namespace)
                .toMatch(
                        "run the new image",
                        pods -> pods.size() == 2
                                && pods.stream()
                                        .allMatch(pod -> pod.getSpec()
                                                .getContainers()
                                                .get(0)
                                                .getImage()
                                                .equals("web:2")));
        cluster.expectAll(ReplicaSet.class, namespace).toCount(2);
        awaitAvailable(2);
    }

    @Test
    void deploymentWhenItsImageIsMissingStaysUnavailable() {
        createDeployment(1, "missing.example/web:1");

        cluster.expect(Deployment.class, namespace, "web").toHaveCondition("Available", "False");
        assertThat(cluster.expectAll(Pod.class, namespace)
                        .toCount(1)
                        .get(0)
                        .getStatus()
                        .getPhase())
                .isEqualTo("Pending");
    }

    @Test
    void deploymentWhenDeletedTakesItsPodsWithIt() {
        Deployment deployment = createDeployment(2, "web:1");
        awaitAvailable(2);

        client.resource(deployment).delete();

        cluster.expectAll(ReplicaSet.class, namespace).toBeEmpty();
        cluster.expectAll(Pod.class, namespace).toBeEmpty();
    }

    @Test
    void podWhenDeletedIsReplaced() {
        createDeployment(1, "web:1");
        awaitAvailable(1);
        Pod pod = cluster.expectAll(Pod.class, namespace).toCount(1).get(0);

        client.resource(pod).delete();

        cluster.expectAll(Pod.class, namespace)
                .toMatch(
                        "are one new pod",
                        pods -> pods.size() == 1
                                && !pods.get(0)
                                        .getMetadata()
                                        .getUid()
                                        .equals(pod.getMetadata().getUid()));
    }

    @Test
    void statefulSetWhenCreatedHasNumberedPods() {
        client.resource(new StatefulSetBuilder()
                        .withNewMetadata()
                        .withName("db")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(2)
                        .withServiceName("db")
                        .withNewSelector()
                        .withMatchLabels(LABELS)
                        .endSelector()
                        .withTemplate(template("db:1"))
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();

        cluster.expect(StatefulSet.class, namespace, "db").toHave("/status/readyReplicas", 2);
        cluster.expect(Pod.class, namespace, "db-0").toHaveCondition("Ready", "True");
        client.apps().statefulSets().inNamespace(namespace).withName("db").scale(1);
        cluster.expect(Pod.class, namespace, "db-1").toBeGone();
    }

    private static PodTemplateSpec onceOnly(String image) {
        PodTemplateSpec template = template(image);
        template.getSpec().setRestartPolicy("Never");
        return template;
    }

    @Test
    void jobWhenCreatedIsComplete() {
        client.resource(new JobBuilder()
                        .withNewMetadata()
                        .withName("once")
                        .endMetadata()
                        .withNewSpec()
                        .withCompletions(2)
                        .withTemplate(onceOnly("job:1"))
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();

        Job job = cluster.expect(Job.class, namespace, "once").toHaveCondition("Complete", "True");

        assertThat(job.getStatus().getSucceeded()).isEqualTo(2);
    }

    @Test
    void deploymentWhenItsContainersHaveQuantitiesBecomesAvailable() {
        PodTemplateSpec template = template("web:1");
        template.getSpec()
                .getContainers()
                .get(0)
                .setResources(new ResourceRequirementsBuilder()
                        .addToRequests("memory", new Quantity("64Mi"))
                        .build());
        createDeployment(1, template);

        awaitAvailable(1);
        assertThat(cluster.expectAll(Pod.class, namespace)
                        .toCount(1)
                        .get(0)
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getResources()
                        .getRequests())
                .containsEntry("memory", new Quantity("64Mi"));
    }

    @Test
    void statefulSetWhenItHasClaimTemplatesMakesBoundClaimsAndPodsThatMountThem() {
        createStatefulSetWithClaims();

        cluster.expect(StatefulSet.class, namespace, "db")
                .toMatch(
                        "has two ready pods",
                        found -> found.getStatus() != null
                                && number(found.getStatus().getReadyReplicas()) == 2);
        cluster.expect(PersistentVolumeClaim.class, namespace, "data-db-0").toHave("/status/phase", "Bound");
        cluster.expect(PersistentVolumeClaim.class, namespace, "data-db-1").toHave("/status/phase", "Bound");
        cluster.expect(Pod.class, namespace, "db-1")
                .toHave("/spec/volumes/0/persistentVolumeClaim/claimName", "data-db-1");
    }

    @Test
    void namespaceWhenDeletedWithClaimsIsGone() {
        createStatefulSetWithClaims();
        cluster.expect(Pod.class, namespace, "db-1").toExist();

        client.namespaces().withName(namespace).delete();

        cluster.expect(Namespace.class, namespace).toBeGone();
    }

    private void createStatefulSetWithClaims() {
        PodTemplateSpec template = template("db:1");
        template.getSpec()
                .getContainers()
                .get(0)
                .setVolumeMounts(List.of(new VolumeMountBuilder()
                        .withName("data")
                        .withMountPath("/data")
                        .build()));
        client.resource(new StatefulSetBuilder()
                        .withNewMetadata()
                        .withName("db")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(2)
                        .withServiceName("db")
                        .withNewSelector()
                        .withMatchLabels(LABELS)
                        .endSelector()
                        .withTemplate(template)
                        .addNewVolumeClaimTemplate()
                        .withNewMetadata()
                        .withName("data")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .endVolumeClaimTemplate()
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();
    }

    @Test
    void serviceWhenPodsAreReadyHasTheirAddresses() {
        createDeployment(2, "web:1");
        client.resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withSelector(LABELS)
                        .addNewPort()
                        .withPort(80)
                        .withNewTargetPort(8080)
                        .endPort()
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();

        EndpointSlice slice = cluster.expect(EndpointSlice.class, namespace, "web")
                .toMatch(
                        "has two addresses",
                        found -> found.getEndpoints() != null
                                && found.getEndpoints().size() == 2);
        assertThat(slice.getPorts().get(0).getPort()).isEqualTo(8080);
    }

    @Test
    void writesWhenMadeBySimulatorsAreNotInTheLog(KubernetesServer server) {
        server.requests().clear();
        createDeployment(1, "web:1");
        awaitAvailable(1);

        assertThat(server.requests().writes()).hasToString("[create deployments " + namespace + "/web -> 201]");
    }

    @Test
    void podWhenNoSimulatorRunsStaysPending() {
        try (KubernetesServer plain = KubernetesServer.start();
                KubernetesClient other = new io.fabric8.kubernetes.client.KubernetesClientBuilder()
                        .withConfig(plain.clientConfig())
                        .build()) {
            Pod pod = other.resource(new PodBuilder()
                            .withNewMetadata()
                            .withName("some")
                            .endMetadata()
                            .withSpec(template("web:1").getSpec())
                            .build())
                    .create();

            assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
            assertThat(other.resource(pod).get().getMetadata().getResourceVersion())
                    .isEqualTo(pod.getMetadata().getResourceVersion());
        }
    }
}
