package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.AdmissionPolicies;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.request.ServerRequest;
import io.github.reconciler4j.test.spring.ServerCustomizer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.context.annotation.Bean;

/** What servers, clusters and expectations of tests look like. */
class ServerUse {

    @Bean
    ServerCustomizer withoutHttp2() {
        return server -> server.http2(false).historySize(10);
    }

    static void start() {
        try (KubernetesServer server = KubernetesServer.start()) {
            Config config = server.clientConfig();
            server.writeKubeconfig(Path.of("kubeconfig"));
            server.faults()
                    .add(FaultRule.of(RequestMatch.writes(), Fault.conflict()).everyNth(3));
            assertThat(config.getMasterUrl()).startsWith(server.url());
        }
    }

    static KubernetesServer strict() {
        return KubernetesServer.builder().rbac(true).minorVersion(33).start();
    }

    static void conflicts(KubernetesServer server, Runnable work) {
        RequestMatch statusWrites =
                RequestMatch.verbs("update", "patch").kind("Bucket").subresource("status");
        try (ActiveFault conflicts =
                server.faults().add(FaultRule.of(statusWrites, Fault.conflict()).times(2))) {
            work.run();
            assertThat(conflicts.injected()).isEqualTo(2);
        }
    }

    static void writes(KubernetesServer server, Runnable work) {
        server.requests().clear();
        work.run();
        assertThat(server.requests().writes(RequestMatch.any().kind("ConfigMap")))
                .hasSize(1);
    }

    static long otherWrites(KubernetesServer server) {
        Predicate<ServerRequest> others =
                request -> request.isWrite() && !request.user().equals(TestCluster.OPERATOR);
        return server.requests().count(others);
    }

    static void logs(KubernetesServer server) {
        server.podLogs((namespace, pod, container) -> "started " + pod + "\n");
    }

    static TestCluster cluster() {
        return TestCluster.start(TestClusterOptions.defaults()
                .withDefinitions(List.of("META-INF/crds/buckets.yaml"))
                .withServer(server -> server.rbac(true)));
    }

    static void expect(TestCluster cluster, String namespace, Bucket bucket) {
        cluster.expect(Bucket.class, namespace, "photos")
                .within(Duration.ofSeconds(30))
                .toHaveCondition("Ready", "True");
        cluster.expectAll(Pod.class, namespace).withLabel("app", "photos").toCount(2);
        cluster.expectEvents(bucket).toHaveReason("Created");
    }

    static void remain(TestCluster cluster, String namespace) {
        cluster.expect(ConfigMap.class, namespace, "photos")
                .toStay("unchanged", map -> map.getData().isEmpty(), Duration.ofSeconds(2));
    }

    static void policies(TestCluster cluster) {
        AdmissionPolicies.assertNoTypeWarnings(cluster.client(), Duration.ofSeconds(30), "buckets.example.com");
    }
}
