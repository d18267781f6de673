package io.github.reconciler4j.sample.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The controllers with the API server in this JVM. No kubelet runs here, so pods stay pending unless a test says more. */
@OperatorTest(
        classes = SampleControllersApplication.class,
        controllers = {"deployment", "replicaset", "endpoints", "endpointslice"})
class ControllersTests {

    @Autowired
    private TestCluster cluster;

    @Autowired
    private KubernetesServer server;

    @Autowired
    private Manager manager;

    private String namespace;

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("controllers");
    }

    private Deployment createDeployment(int replicas) {
        return cluster.client()
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("nginx")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    private RequestMatch podCreations() {
        return RequestMatch.verbs("create").kind("Pod").namespace(namespace);
    }

    /** Without own writes in what is read, the ReplicaSet would see no pods for a while and create more and more. */
    @Test
    void replicaSetWhenTheCacheIsLateCreatesNoPodTwice() {
        server.faults().add(FaultRule.of(RequestMatch.watches().kind("Pod"), Fault.delayEvents(Duration.ofSeconds(3))));

        createDeployment(20);
        ReplicaSet set =
                cluster.expectAll(ReplicaSet.class, namespace).toCount(1).get(0);
        for (int i = 0; i < 20; i++) { // each change leads to another reconciliation
            String change = Integer.toString(i);
            patchLabel(set, "change", change);
            await().until(() -> change.equals(cached(ReplicaSet.class, replicaSet())
                    .map(cached -> cached.getMetadata().getLabels().get("change"))
                    .orElse("")));
        }
        cluster.expectAll(Pod.class, namespace).toCount(20);
        scale(25);
        cluster.expectAll(Pod.class, namespace).toCount(25);
        scale(5);
        cluster.expectAll(Pod.class, namespace).toCount(5);
        server.faults().clear();
        awaitLateEvents();

        assertThat(server.requests().count(podCreations())).isEqualTo(26);
        assertThat(server.requests()
                        .count(RequestMatch.verbs("delete").kind("Pod").namespace(namespace)))
                .isEqualTo(20);
    }

    private <T extends HasMetadata> Optional<T> cached(Class<T> type, String name) {
        return manager.cache().get(Kind.of(type), ObjectKey.of(namespace, name));
    }

    /** The event of a pod that the test creates comes after all others. */
    private void awaitLateEvents() {
        cluster.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("last")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("nginx")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> cached(Pod.class, "last").isPresent());
    }

    private void patchLabel(ReplicaSet set, String label, String value) {
        cluster.client()
                .resource(set)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"" + label + "\":\"" + value + "\"}}}");
    }

    private void scale(int replicas) {
        cluster.client()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName("web")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":" + replicas + "}}");
    }

    @Test
    void deploymentWhenPodsAreRefusedSaysWhyAndTriesOneAtATime() {
        server.faults().add(FaultRule.of(podCreations(), Fault.forbidden()));

        createDeployment(100);

        cluster.expect(Deployment.class, namespace, "web").toHaveCondition("ReplicaFailure", "True", "FailedCreate");
        assertThat(server.requests().count(podCreations())).isLessThan(20);

        server.faults().clear();
        cluster.expectAll(Pod.class, namespace).within(Duration.ofMinutes(1)).toCount(100);
        cluster.expect(ReplicaSet.class, namespace, replicaSet())
                .toMatch(
                        "has no failure", set -> set.getStatus().getConditions().isEmpty());
    }

    private String replicaSet() {
        return cluster.client()
                .apps()
                .replicaSets()
                .inNamespace(namespace)
                .list()
                .getItems()
                .get(0)
                .getMetadata()
                .getName();
    }

    @Test
    void deploymentWhenTheNameOfItsReplicaSetIsTakenFindsAnother() {
        createDeployment(1);
        ReplicaSet set =
                cluster.expectAll(ReplicaSet.class, namespace).toCount(1).get(0);

        patchLabel(set, "app", "other");

        cluster.expectAll(ReplicaSet.class, namespace).toCount(2);
        cluster.expect(ReplicaSet.class, namespace, set.getMetadata().getName())
                .toMatch(
                        "is an orphan",
                        s -> s.getMetadata().getOwnerReferences().isEmpty());
        cluster.expect(Deployment.class, namespace, "web").toHave("/status/collisionCount", 1);
    }

    @Test
    void serviceWhenItHasPodsHasEndpointsAndSlices() {
        createService();
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("node-1")
                        .endMetadata()
                        .build())
                .create();
        cluster.client().resource(runningPod()).create();
        cluster.client().pods().inNamespace(namespace).withName("p").editStatus(pod -> {
            pod.setStatus(runningPod().getStatus());
            return pod;
        });

        cluster.expect(Endpoints.class, namespace, "web").toHave("/subsets/0/addresses/0/ip", "10.1.2.3");
        List<EndpointSlice> slices =
                cluster.expectAll(EndpointSlice.class, namespace).toCount(1);
        cluster.expect(
                        EndpointSlice.class,
                        namespace,
                        slices.get(0).getMetadata().getName())
                .toHave("/endpoints/0/addresses/0", "10.1.2.3");

        cluster.client().pods().inNamespace(namespace).withName("p").delete();

        cluster.expect(Endpoints.class, namespace, "web")
                .toMatch("is empty", endpoints -> endpoints.getSubsets().isEmpty());
        cluster.expect(
                        EndpointSlice.class,
                        namespace,
                        slices.get(0).getMetadata().getName())
                .toMatch(
                        "is empty",
                        slice -> slice.getEndpoints() == null
                                || slice.getEndpoints().isEmpty());
    }

    /** As without a scheduler. */
    @Test
    void serviceWhenItsPodHasNoNodeHasASlice() {
        createService();
        Pod pod = runningPod();
        pod.getSpec().setNodeName(null);
        cluster.client().resource(pod).create();
        cluster.client().pods().inNamespace(namespace).withName("p").editStatus(created -> {
            created.setStatus(pod.getStatus());
            return created;
        });

        cluster.expectAll(EndpointSlice.class, namespace)
                .toMatch(
                        "contain the pod",
                        slices -> slices.stream()
                                .flatMap(slice ->
                                        slice.getEndpoints() == null ? Stream.empty() : slice.getEndpoints().stream())
                                .anyMatch(endpoint -> endpoint.getAddresses().contains("10.1.2.3")));
    }

    @Test
    void endpointsWhenDeletedByHandAreCreatedAgain() {
        createService();
        Endpoints first = cluster.expect(Endpoints.class, namespace, "web").toExist();

        cluster.client().resource(first).delete();

        cluster.expect(Endpoints.class, namespace, "web")
                .toMatch(
                        "is another one",
                        e -> !e.getMetadata()
                                .getUid()
                                .equals(first.getMetadata().getUid()));
    }

    private void createService() {
        Service service = new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", "web")
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
        cluster.client().resource(service).create();
    }

    private Pod runningPod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("p")
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(0L)
                .withNodeName("node-1")
                .addNewContainer()
                .withName("main")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withPodIP("10.1.2.3")
                .addNewPodIP()
                .withIp("10.1.2.3")
                .endPodIP()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }
}
