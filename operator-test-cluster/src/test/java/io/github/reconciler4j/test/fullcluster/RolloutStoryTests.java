package io.github.reconciler4j.test.fullcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The life of a Deployment and its Service, from the first pods over a rollout that hangs to the way back. */
@KubernetesTest(cluster = TestCluster.FULL)
class RolloutStoryTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static List<String> readyAddresses(TestCluster cluster, String namespace) {
        return cluster
                .client()
                .discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace)
                .withLabel("kubernetes.io/service-name", "web")
                .list()
                .getItems()
                .stream()
                .map(EndpointSlice::getEndpoints)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(endpoint -> Boolean.TRUE.equals(endpoint.getConditions().getReady()))
                .flatMap(endpoint -> endpoint.getAddresses().stream())
                .sorted()
                .toList();
    }

    private static List<String> readyPods(TestCluster cluster, String namespace) {
        return cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(TestPods::isReady)
                .map(pod -> pod.getStatus().getPodIP())
                .sorted()
                .toList();
    }

    private static void awaitEndpoints(TestCluster cluster, String namespace, int number) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(readyAddresses(cluster, namespace))
                        .hasSize(number)
                        .isEqualTo(readyPods(cluster, namespace)));
    }

    private static boolean isRolledOut(Deployment deployment, int replicas) {
        return deployment.getStatus() != null
                && Objects.equals(
                        deployment.getStatus().getObservedGeneration(),
                        deployment.getMetadata().getGeneration())
                && Objects.equals(deployment.getStatus().getUpdatedReplicas(), replicas)
                && Objects.equals(deployment.getStatus().getAvailableReplicas(), replicas)
                && Objects.equals(deployment.getStatus().getReplicas(), replicas);
    }

    private static boolean isStuck(Deployment deployment) {
        return deployment.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Progressing")
                        && condition.getStatus().equals("False")
                        && condition.getReason().equals("ProgressDeadlineExceeded"));
    }

    private static RollableScalableResource<Deployment> web(TestCluster cluster, String namespace) {
        return cluster.client().apps().deployments().inNamespace(namespace).withName("web");
    }

    private static void rollOutMissingImage(TestCluster cluster, String namespace) {
        cluster.edit(
                Deployment.class,
                namespace,
                "web",
                change -> TestDeployments.setImage(change, "missing.example/web:2"));
        cluster.expectAll(Pod.class, namespace)
                .within(LONG)
                .toMatch(
                        "have one without its image",
                        pods -> pods.stream()
                                .anyMatch(pod -> TestPods.waiting(pod).equals("ImagePullBackOff")));
    }

    @Test
    void rolloutWhenTheImageIsBadHangsAndIsUndone(TestCluster cluster) {
        String namespace = cluster.createNamespace("story");
        cluster.client().resource(TestDeployments.service(namespace, "web")).create();
        cluster.client()
                .resource(TestDeployments.deployment(namespace, "web", 3))
                .create();
        var web = cluster.expect(Deployment.class, namespace, "web").within(LONG);

        web.toMatch("be rolled out", deployment -> isRolledOut(deployment, 3));
        cluster.expectAll(ReplicaSet.class, namespace).toCount(1);
        awaitEndpoints(cluster, namespace, 3);

        rollOutMissingImage(cluster, namespace);
        web.toMatch("report that it does not progress", RolloutStoryTests::isStuck);
        awaitEndpoints(cluster, namespace, 3); // the old pods still serve

        web(cluster, namespace).rolling().undo();
        web.toMatch("be rolled out again", deployment -> isRolledOut(deployment, 3));
        awaitEndpoints(cluster, namespace, 3);
        assertThat(cluster.client().pods().inNamespace(namespace).list().getItems())
                .allMatch(pod -> pod.getSpec().getContainers().get(0).getImage().equals(TestPods.IMAGE));

        web(cluster, namespace).scale(1);
        web.toMatch("be smaller", deployment -> isRolledOut(deployment, 1));
        awaitEndpoints(cluster, namespace, 1);
        web(cluster, namespace).delete();
        cluster.expectAll(Pod.class, namespace).within(LONG).toBeEmpty();
        awaitEndpoints(cluster, namespace, 0);
    }
}
