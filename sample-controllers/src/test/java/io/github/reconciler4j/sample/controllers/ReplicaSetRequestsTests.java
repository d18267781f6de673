package io.github.reconciler4j.sample.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The ReplicaSet controller sends no more requests than upstream's. */
@OperatorTest(
        classes = SampleControllersApplication.class,
        controllers = {"deployment", "replicaset", "endpoints", "endpointslice"},
        properties = {"reconciler4j.client.qps=500", "reconciler4j.client.burst=1000"})
class ReplicaSetRequestsTests {

    private static final Map<String, String> LABELS = Map.of("app", "web");

    @Autowired
    private TestCluster cluster;

    @Autowired
    private KubernetesServer server;

    /** That of the controllers, which reads from the cache. */
    @Autowired
    private Client client;

    private String namespace;

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("requests");
    }

    private void createReplicaSet(int replicas) {
        cluster.client()
                .resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .withMatchLabels(LABELS)
                        .endSelector()
                        .withTemplate(new PodTemplateSpecBuilder()
                                .withNewMetadata()
                                .withLabels(LABELS)
                                .endMetadata()
                                .withSpec(pod("template").getSpec())
                                .build())
                        .endSpec()
                        .build())
                .create();
    }

    private Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(LABELS)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .build();
    }

    private void scale(int replicas) {
        cluster.client()
                .apps()
                .replicaSets()
                .inNamespace(namespace)
                .withName("web")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":" + replicas + "}}");
    }

    private long requests(String kind, String... verbs) {
        return server.requests()
                .count(RequestMatch.verbs(verbs).kind(kind).namespace(namespace).user(TestCluster.OPERATOR));
    }

    /** The last requests are logged a moment after their effect is visible. */
    private void awaitRequests(long expected, String kind, String verb) {
        await("requests to " + verb + " objects of the kind " + kind)
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(requests(kind, verb)).isEqualTo(expected));
    }

    @Test
    void replicaSetWhenItDeletesManyPodsReadsNoneOfThem() {
        createReplicaSet(0);
        for (int round = 0; round < 3; round++) {
            scale(100);
            cluster.expectAll(Pod.class, namespace).toCount(100);
            scale(0);
            cluster.expectAll(Pod.class, namespace).toCount(0);
        }

        awaitRequests(300, "Pod", "create");
        awaitRequests(300, "Pod", "delete");
        assertThat(requests("Pod", "get", "list")).isZero();
        assertThat(requests("ReplicaSet", "get", "list")).isZero();
    }

    /** Upstream reads the owner once in a synchronization that adopts, however many pods that are, and no pod. */
    @Test
    void replicaSetWhenItAdoptsPodsReadsItselfOnce() {
        for (int i = 0; i < 10; i++) {
            cluster.client().resource(pod("orphan-" + i)).create();
        }
        await("the controller knows all pods, so that one synchronization adopts them")
                .atMost(Duration.ofSeconds(60))
                .until(() -> client.list(Kind.of(Pod.class), Selection.inNamespace(namespace))
                                .size()
                        == 10);
        createReplicaSet(10);

        cluster.expect(ReplicaSet.class, namespace, "web").toHave("/status/replicas", 10);
        List<Pod> pods = cluster.expectAll(Pod.class, namespace).toCount(10);
        assertThat(pods).allMatch(pod -> OwnerReferences.controllerOf(pod).isPresent());
        awaitRequests(10, "Pod", "patch");
        awaitRequests(1, "ReplicaSet", "get");
        assertThat(requests("Pod", "create", "get", "list")).isZero();
    }
}
