package io.github.reconciler4j.test.fullcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.ClusterControllers;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import io.github.reconciler4j.test.junit.KubernetesTest;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;

/** The attribute {@code cluster} of the annotations, and the option behind it. */
class ClusterAttributeTests {

    @Test
    void clusterWhenANameIsUnknownListsTheNames() {
        TestClusterOptions options = TestClusterOptions.defaults().withCluster("teapot");

        assertThatThrownBy(() -> TestCluster.start(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("teapot")
                .hasMessageContaining("deployment")
                .hasMessageContaining("kubelet");
    }

    @Test
    void fullClusterWhenTheTestHasNoneNamesTheAttribute() {
        try (TestCluster cluster = TestCluster.start(TestClusterOptions.defaults())) {
            assertThatThrownBy(() -> FullCluster.of(cluster))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'cluster'");
            assertThat(cluster.runsDeployments()).isFalse();
        }
    }

    @Nested
    @KubernetesTest(cluster = "deployment")
    class OneController {

        @Test
        void deploymentsWhenOnlyTheirControllerRunsHaveNoPods(TestCluster cluster, ClusterControllers controllers) {
            String namespace = cluster.createNamespace("one");
            cluster.client()
                    .resource(TestDeployments.deployment(namespace, "web", 1))
                    .create();

            cluster.expectAll(ReplicaSet.class, namespace).toCount(1);
            cluster.expectAll(ReplicaSet.class, namespace)
                    .toMatch("have no status", sets -> sets.get(0).getStatus().getObservedGeneration() == null);
            assertThat(controllers.names()).containsExactly("deployment", "kubelet", "scheduler", "volumes");
            assertThat(controllers).isSameAs(FullCluster.of(cluster));
        }
    }

    @Nested
    @OperatorTest(classes = ClusterAttributeTests.Application.class, cluster = TestCluster.FULL)
    class WithSpring {

        /** Each repetition has its own namespace and its own rules, while the controllers continue. */
        @RepeatedTest(2)
        void deploymentsWhenTestsFollowEachOtherAreIsolated(
                TestCluster cluster, FullCluster full, KubernetesServer server) {
            String namespace = cluster.createNamespace("spring");
            assertThat(cluster.client().pods().inNamespace(namespace).list().getItems())
                    .isEmpty();
            cluster.client()
                    .resource(TestDeployments.deployment(namespace, "web", 2))
                    .create();

            cluster.expect(Deployment.class, namespace, "web")
                    .within(Duration.ofSeconds(60))
                    .toHave("/status/availableReplicas", 2);
            cluster.expectAll(Pod.class, namespace).toCount(2);
            assertThat(cluster.runsDeployments()).isTrue();
            assertThat(full.server()).isSameAs(server);
            assertThat(server.requests().count(RequestMatch.writes().kind("Pod").user(TestCluster.OPERATOR)))
                    .isZero();
            cluster.client().namespaces().withName(namespace).delete();
        }
    }

    @Configuration
    static class Application {}
}
