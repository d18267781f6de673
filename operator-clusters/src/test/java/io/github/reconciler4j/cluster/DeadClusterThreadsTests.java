package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.fixtures.LoopbackListener;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clusters that do not answer cost. */
@Timeout(180)
class DeadClusterThreadsTests {

    private static final int CLUSTERS = 100;

    /** The threads of servers and of the waits of this test. */
    private static final List<String> OTHERS =
            List.of("kubernetes-server", "awaitility", "scripted-server", "silent", "closed", "request-deadlines");

    @Test
    void threadsWhenAHundredClustersRefuseConnectionsAreThoseOfAttempts() throws Exception {
        LoopbackListener closed = new LoopbackListener("closed", socket -> {});
        closed.close();
        assertAttemptsOnly(threads("http://127.0.0.1:" + closed.port()));
    }

    @Test
    void threadsWhenAHundredClustersAnswerWith503AreThoseOfAttempts() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(
                (request, out) -> out.write(ScriptedServer.status(503, "ServiceUnavailable", "down", "{}")))) {
            assertAttemptsOnly(threads(server.address()));
        }
    }

    @Test
    void threadsWhenAHundredClustersNeverAnswerAreThoseOfAttempts() throws IOException {
        try (LoopbackListener silent = new LoopbackListener("silent", socket -> {})) {
            assertAttemptsOnly(threads("http://127.0.0.1:" + silent.port()));
        }
    }

    /** One thread for all that wait, and one for each request that is underway. */
    private static void assertAttemptsOnly(Map<String, Long> threads) {
        assertThat(threads.keySet())
                .isSubsetOf("operator-retries", "operator-start-dead", "operator-start-configmap@dead");
        assertThat(threads.getOrDefault("operator-retries", 1L)).isEqualTo(1);
    }

    private static Map<String, Long> threads(String address) {
        Config config = new ConfigBuilder(Config.empty()).withMasterUrl(address).build();
        try (KubernetesServer home = KubernetesServer.start();
                Manager manager = Manager.create(home.clientConfig())) {
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class)
                                    .owns(Secret.class)
                                    .reconciler((object, context) -> Result.done()),
                            cluster -> true);
            manager.start();
            Awaitility.await("the controller at home runs")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> names().stream().anyMatch(name -> name.startsWith("controller-configmap-worker-")));
            List<String> before = names();
            for (int i = 0; i < CLUSTERS; i++) {
                Clusters.of(manager).add("dead-" + i, config);
            }
            Awaitility.await("all were tried")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> manager.status().components().stream()
                            .filter(component -> component.name().startsWith("dead-"))
                            .allMatch(component -> component.attempts() >= 2));
            List<String> now = names();
            before.forEach(now::remove);
            return now.stream()
                    .collect(Collectors.groupingBy(
                            name -> name.replaceAll("dead-\\d+", "dead"), TreeMap::new, Collectors.counting()));
        }
    }

    private static List<String> names() {
        return LiveThreads.named("").stream()
                .filter(name -> OTHERS.stream().noneMatch(name::startsWith))
                .sorted()
                .collect(Collectors.toList());
    }
}
