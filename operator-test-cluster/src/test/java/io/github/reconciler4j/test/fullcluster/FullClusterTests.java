package io.github.reconciler4j.test.fullcluster;

import static io.github.reconciler4j.test.fullcluster.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Start and end of full clusters. */
class FullClusterTests {

    private static final List<String> IGNORED = List.of("HttpClient-", "awaitility", "ForkJoinPool", "Common-Cleaner");

    private static Pod awaitReady(FullCluster cluster, String name) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> cluster.client()
                                .pods()
                                .inNamespace("default")
                                .withName(name)
                                .get(),
                        TestPods::isReady);
    }

    @Test
    void startWhenNothingIsSetRunsEverything() {
        try (FullCluster cluster = FullCluster.start()) {
            cluster.client().resource(pod("default", "web").build()).create();

            assertThat(awaitReady(cluster, "web").getSpec().getNodeName()).isEqualTo("node-1");
            assertThat(cluster.names())
                    .containsAll(KubernetesControllers.names())
                    .contains("scheduler", "kubelet");
            assertThat(cluster.config().getMasterUrl())
                    .startsWith(cluster.server().url());
            assertThat(cluster.server()
                            .requests()
                            .count(RequestMatch.writes().kind("Pod").user(FullCluster.USER)))
                    .isPositive();
        }
    }

    @Test
    void controllersWhenANameIsUnknownListTheNames() {
        FullClusterBuilder builder = FullCluster.builder().controllers("kubelet", "teapot");

        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("teapot")
                .hasMessageContaining("scheduler")
                .hasMessageContaining("kubelet");
    }

    @Test
    void standInsWhenExcludedDoNotRun() {
        try (FullCluster cluster =
                FullCluster.builder().controllers("*", "-kubelet").start()) {
            cluster.client().resource(pod("default", "web").build()).create();

            assertThat(cluster.names()).contains("scheduler").doesNotContain("kubelet");
            // without a kubelet nodes are not ready
            await().until(() -> TestPods.has(
                    cluster.client()
                            .pods()
                            .inNamespace("default")
                            .withName("web")
                            .get(),
                    "PodScheduled",
                    "False"));
        }
    }

    @Test
    void clockWhenSetIsThatOfAllTimestamps() {
        Clock clock = Clock.fixed(Instant.parse("2030-01-02T03:04:05Z"), ZoneOffset.UTC);
        try (FullCluster cluster = FullCluster.builder().clock(clock).start()) {
            cluster.client().resource(pod("default", "web").build()).create();

            Pod pod = awaitReady(cluster, "web");
            assertThat(pod.getStatus().getStartTime()).isEqualTo("2030-01-02T03:04:05Z");
            assertThat(TestPods.condition(pod, "Ready").getLastTransitionTime()).isEqualTo("2030-01-02T03:04:05Z");
            assertThat(TestPods.web(pod).getState().getRunning().getStartedAt()).isEqualTo("2030-01-02T03:04:05Z");
        }
    }

    /** The namespace controller meets the fault, which a deletion by the server itself would not. */
    @Test
    void namespaceWhenItsContentCannotBeDeletedStaysUntilItCan() {
        try (FullCluster cluster = FullCluster.start()) {
            KubernetesClient client = cluster.client();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("team")
                            .endMetadata()
                            .build())
                    .create();
            client.configMaps()
                    .inNamespace("team")
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("map")
                            .endMetadata()
                            .build())
                    .create();
            cluster.server()
                    .faults()
                    .add(FaultRule.of(RequestMatch.verbs("deletecollection").kind("ConfigMap"), Fault.forbidden()));

            client.namespaces().withName("team").delete();

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    failure(client.namespaces().withName("team").get()))
                            .contains("True"));
            cluster.server().faults().clear();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> client.namespaces().withName("team").get() == null);
            assertThat(client.configMaps().inNamespace("team").list().getItems())
                    .isEmpty();
        }
    }

    private static Optional<String> failure(Namespace namespace) {
        return namespace.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("NamespaceDeletionContentFailure"))
                .map(NamespaceCondition::getStatus)
                .findAny();
    }

    @Test
    void clustersWhenTwoRunSideBySideAreIndependent() {
        try (FullCluster first = FullCluster.start();
                FullCluster second = FullCluster.start()) {
            first.pods().withLabel("app", "web").failToPull();
            first.client().resource(pod("default", "web").build()).create();
            second.client().resource(pod("default", "web").build()).create();

            awaitReady(second, "web");
            await().until(() -> TestPods.waiting(first.client()
                            .pods()
                            .inNamespace("default")
                            .withName("web")
                            .get())
                    .equals("ImagePullBackOff"));
            assertThat(first.server().port()).isNotEqualTo(second.server().port());
        }
    }

    @Test
    void closeWhenPodsRunEndsAllThreads() {
        try (FullCluster warm = FullCluster.start()) { // the JVM keeps some threads after the first use
            warm.client().resource(pod("default", "web").build()).create();
            awaitReady(warm, "web");
        }
        Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
        FullCluster cluster = FullCluster.start();
        cluster.client().resource(pod("default", "web").build()).create();
        awaitReady(cluster, "web");

        cluster.close();

        await().atMost(Duration.ofSeconds(30)) // a scheduler of the fabric8 client ends after 10 seconds
                .untilAsserted(() -> assertThat(leftOver(before)).isEmpty());
    }

    /** The JDK's HTTP client ends its threads when it is garbage. */
    private static List<String> leftOver(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> IGNORED.stream().noneMatch(name::startsWith))
                .toList();
    }
}
