package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the process ends when it loses its lease, or receives a second signal. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class LostLeaseIntegrationTests {

    private static final String LEASE = "demo-sample-operator";
    private static final String[] QUICK = {
        "--reconciler4j.leader-election.lease-duration=3m",
        "--reconciler4j.leader-election.renew-deadline=2m",
        "--reconciler4j.leader-election.retry-period=500ms",
        "--reconciler4j.controllers.webapp.resync=500ms",
        "--sample.secrets.enabled=false"
    };

    @TempDir
    private Path folder;

    private final RealKubernetes kubernetes;
    private InstalledChart chart;
    private String namespace;

    LostLeaseIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @BeforeEach
    void install() throws IOException {
        chart = InstalledChart.install(kubernetes, folder, Map.of());
        namespace = kubernetes.createNamespace("lost");
    }

    @AfterEach
    void removeTheLease() {
        kubernetes.kubectl("-n", InstalledChart.NAMESPACE, "delete", "lease", LEASE, "--ignore-not-found");
    }

    private OperatorProcess start(String... arguments) {
        List<String> all = new ArrayList<>(List.of(QUICK));
        all.addAll(List.of(arguments));
        OperatorProcess operator = chart.start(all.toArray(String[]::new)).awaitReady();
        return operator.awaitLog("has acquired lease " + InstalledChart.NAMESPACE + "/" + LEASE);
    }

    /** Names another holder. Without one, for a second, the lease is free. */
    private void hold(String holder, int seconds) {
        kubernetes.kubectl(
                "-n",
                InstalledChart.NAMESPACE,
                "patch",
                "lease",
                LEASE,
                "--type=merge",
                "-p",
                "{\"spec\":{\"holderIdentity\":\"" + holder + "\",\"leaseDurationSeconds\":" + seconds + "}}");
    }

    private String get(String object, String path) {
        return kubernetes.kubectl(
                "-n", namespace, "get", object, "--ignore-not-found", "-o", "jsonpath={" + path + "}");
    }

    private void apply(String name) {
        kubernetes.kubectlWithInput(WebApps.yaml(name, "replicas: 1"), "-n", namespace, "apply", "-f", "-");
    }

    private void awaitDeployment(String name) {
        await("the Deployment " + name + " is there")
                .atMost(Duration.ofMinutes(2))
                .until(() -> get("deployment/" + name, ".metadata.name").equals(name));
    }

    @Test
    void leaseWhenStolenEndsTheProcessWithAnExitCodeAndAnEvent() throws InterruptedException {
        try (OperatorProcess operator = start()) {
            apply("before");
            awaitDeployment("before");

            hold("thief", 3600);

            assertThat(operator.awaitEnd(Duration.ofMinutes(1))).isEqualTo(1);
            assertThat(operator.log())
                    .contains("has lost lease operators/" + LEASE + " (R4J-205): it is held by thief now")
                    .contains("was lost: it is held by thief now. Closing the application.");
        }
        assertThat(kubernetes.kubectl(
                        "-n", InstalledChart.NAMESPACE, "get", "events", "-o", "jsonpath={.items[*].message}"))
                .contains("became leader", "stopped leading");
        assertThat(kubernetes.kubectl(
                        "-n", InstalledChart.NAMESPACE, "get", "lease", LEASE, "-o", "jsonpath={.spec.holderIdentity}"))
                .isEqualTo("thief");
    }

    @Test
    void leaseWhenLostWithRejoinIsAcquiredAgain() {
        try (OperatorProcess operator = start("--reconciler4j.leader-election.on-lost=rejoin")) {
            hold("thief", 3600);
            operator.awaitLog("has lost lease operators/" + LEASE);
            assertThat(operator.body("/actuator/reconciler4j")).contains("\"leading\":false");
            assertThat(operator.status("/actuator/health/liveness")).isEqualTo(200);
            assertThat(operator.post("/actuator/reconciler4j/webapp", "{\"action\": \"pause\"}")
                            .statusCode())
                    .as("the sample denies write operations")
                    .isEqualTo(405);
            hold("", 1);
            apply("after");
            awaitDeployment("after");

            kubernetes.kubectl("-n", InstalledChart.NAMESPACE, "delete", "lease", LEASE);
            operator.awaitLog("was deleted by another client");
            apply("again");
            awaitDeployment("again");
            assertThat(operator.isAlive()).isTrue();
        }
    }

    @Test
    void processWhenInterruptedTwiceDoesNotWaitForWhatRuns() throws Exception {
        try (OperatorProcess operator =
                start("--reconciler4j.grace-period=1h", "--reconciler4j.client.uncached=Deployment")) {
            apply("slow"); // each reconciliation reads the Deployment from the API server
            awaitDeployment("slow");
            kubernetes.pause(KubernetesComponent.ETCD);
            try {
                await("a reconciliation waits for the server")
                        .atMost(Duration.ofMinutes(1))
                        .during(Duration.ofSeconds(3))
                        .until(() ->
                                operator.body("/actuator/reconciler4j/webapp").contains("\"busy\":1"));
                operator.signal("INT");
                operator.awaitLog("is stopping");
                await("the process ends").atMost(Duration.ofMinutes(1)).until(() -> {
                    operator.signal("INT");
                    return !operator.isAlive();
                });
            } finally {
                kubernetes.resume(KubernetesComponent.ETCD);
            }
            assertThat(operator.awaitEnd(Duration.ofSeconds(1))).isEqualTo(130);
            assertThat(operator.log()).doesNotContain("has stopped");
        }
    }
}
