package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator as a process of its own, with the chart's account and rights, and kubectl beside it. */
@RealKubernetesTest
class WebAppIntegrationTests {

    /** Each look is a run of kubectl, which takes a tenth of a second of a processor. */
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** An operator ends that loses its lease, as on a machine that does much else. */
    private static final String[] PATIENT = {
        "--reconciler4j.leader-election.lease-duration=40s", "--reconciler4j.leader-election.renew-deadline=30s"
    };

    private static OperatorProcess operator;

    private final RealKubernetes kubernetes;
    private String namespace;

    WebAppIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @BeforeAll
    static void startOperator(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
        operator = InstalledChart.install(kubernetes, folder, Map.of())
                .start(PATIENT)
                .awaitReady();
    }

    @AfterAll
    static void stopOperator() throws InterruptedException {
        try (OperatorProcess running = operator) {
            assertThat(running.stop()).as("exit code after SIGTERM").isEqualTo(143);
            assertThat(running.log()).doesNotContain("Exception", "forbidden", "Preflight");
        }
    }

    @BeforeEach
    void createNamespace() {
        namespace = kubernetes.createNamespace("webapps");
    }

    @Test
    void webAppWhenCreatedBecomesReady() {
        apply("hello", "replicas: 2", "environment: {GREETING: hi}", "files: {index.html: hello}");

        awaitReady("hello", 2);
        assertThat(get("deployment/hello", ".spec.template.spec.containers[0].env[0].value"))
                .isEqualTo("hi");
        assertThat(get("configmap/hello", ".data.index\\.html")).isEqualTo("hello");
        assertThat(get("service/hello", ".spec.ports[0].port")).isEqualTo("80");
        assertThat(get("webapp/hello", ".status.url")).isEqualTo("http://hello." + namespace + ".svc");
        assertThat(get("webapp/hello", ".status.observedGeneration")).isEqualTo("1");
        await("events are recorded")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> kubectl("get", "events").contains("Ready"));
    }

    @Test
    void webAppWhenEditedFollows() {
        apply("edited", "replicas: 1", "files: {a: one}");
        awaitReady("edited", 1);
        String checksum = filesChecksum("edited");

        apply("edited", "replicas: 1", "files: {a: two}", "host: shop.example.com");

        await("the pods roll")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> !filesChecksum("edited").equals(checksum));
        awaitReady("edited", 1);
        assertThat(get("webapp/edited", ".status.url")).isEqualTo("http://shop.example.com");
        assertThat(get("webapp/edited", ".status.observedGeneration")).isEqualTo("2");
    }

    @Test
    void webAppWhenScaledRunsAsManyPods() {
        apply("scaled", "replicas: 1");
        awaitReady("scaled", 1);

        kubectl("scale", "webapp/scaled", "--replicas=3");

        awaitReady("scaled", 3);
        assertThat(get("webapp/scaled", ".status.replicas")).isEqualTo("3");
    }

    @Test
    void podsWhenSecretRotatesRoll() {
        kubectl("create", "secret", "generic", "password", "--from-literal=value=one");
        apply("rotated", "secretName: password");
        awaitReady("rotated", 1);
        String checksum = secretChecksum("rotated");

        kubectl("patch", "secret", "password", "-p", "{\"stringData\": {\"value\": \"two\"}}");

        await("the pods roll")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> !secretChecksum("rotated").equals(checksum));
        assertThat(operator.log()).doesNotContain("two");
    }

    @Test
    void webAppWhenSecretIsMissingIsNotReadyUntilItExists() {
        apply("waiting", "secretName: later");
        await("it is reported")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> get("webapp/waiting", ".status.conditions[?(@.type==\"Ready\")].reason")
                        .equals("SecretUnavailable"));

        kubectl("create", "secret", "generic", "later", "--from-literal=value=one");

        awaitReady("waiting", 1);
    }

    @Test
    void configMapWhenFilesAreRemovedIsDeleted() {
        apply("smaller", "replicas: 1", "files: {a: one}");
        awaitReady("smaller", 1);
        assertThat(get("webapp/smaller", ".metadata.annotations.reconciler4j\\.io/set-kinds"))
                .isEqualTo("v1/ConfigMap,v1/Service,apps/v1/Deployment");

        apply("smaller", "replicas: 1");

        await("the ConfigMap is deleted")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> kubectl("get", "configmap/smaller", "--ignore-not-found", "-o", "name")
                        .isEmpty());
        awaitReady("smaller", 1);
        await("the kind is forgotten")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> get("webapp/smaller", ".metadata.annotations.reconciler4j\\.io/set-kinds")
                        .equals("v1/Service,apps/v1/Deployment"));
    }

    @Test
    void deploymentWhenDeletedByHandIsRecreated() {
        apply("deleted", "replicas: 1");
        awaitReady("deleted", 1);
        String uid = get("deployment/deleted", ".metadata.uid");

        kubectl("delete", "deployment", "deleted");

        await("it comes back")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> {
                    String now = kubectl(
                            "get", "deployment", "deleted", "--ignore-not-found", "-o", "jsonpath={.metadata.uid}");
                    return !now.isEmpty() && !now.equals(uid);
                });
        awaitReady("deleted", 1);
    }

    @Test
    void webAppWhenDeletedTakesEverythingWithIt() {
        apply("gone", "replicas: 2");
        awaitReady("gone", 2);
        assertThat(get("webapp/gone", ".metadata.finalizers[0]")).isEqualTo("webapps.apps.reconciler4j.io/finalizer");

        kubectl("delete", "webapp", "gone", "--timeout=60s");

        await("everything is gone")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(INTERVAL)
                .until(() -> kubectl(
                                "get",
                                "deployment,service,configmap,pod",
                                "-l",
                                "app.kubernetes.io/name=gone",
                                "-o",
                                "name")
                        .isBlank());
        await("the finalizer ran")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(INTERVAL)
                .until(() -> kubectl("get", "events").contains("Drained"));
    }

    @Test
    void webAppWhenWrongIsRefusedByTheServer() {
        assertThat(applyFails("bad", "replicas: 101")).contains("spec.replicas", "less than or equal to 100");
    }

    @Test
    void metricsWhenScrapedHaveTheFieldsNames() {
        apply("measured", "replicas: 1");
        awaitReady("measured", 1);

        assertThat(operator.body("/actuator/prometheus"))
                .contains("controller_runtime_reconcile_total{controller=\"webapp\",result=\"success\"}")
                .contains("workqueue_depth{")
                .contains("rest_client_requests_total{");
    }

    @Test
    void endpointWhenAskedShowsTheOperator() {
        apply("shown", "replicas: 1");
        awaitReady("shown", 1);

        assertThat(operator.body("/actuator/reconciler4j"))
                .contains("\"name\":\"webapp\"", "\"state\":\"RUNNING\"", "\"failingCount\":0")
                .contains("\"resource\":\"webapps.apps.reconciler4j.io\"", "\"leading\":true");
    }

    @Test
    void healthWhenEverythingWorksShowsEachComponent() {
        assertThat(operator.status("/actuator/health/liveness")).isEqualTo(200);
        assertThat(operator.status("/actuator/health/readiness")).isEqualTo(200);
        assertThat(operator.body("/actuator/health"))
                .contains("reconciler4jLiveness", "reconciler4jReadiness", "controller/webapp", "leader-election")
                .contains("webapps.apps.reconciler4j.io", "\"synced\":true");
    }

    private void apply(String name, String... spec) {
        kubernetes.kubectlWithInput(WebApps.yaml(name, spec), "-n", namespace, "apply", "-f", "-");
    }

    private String applyFails(String name, String... spec) {
        try {
            apply(name, spec);
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
        throw new AssertionError("was accepted");
    }

    private void awaitReady(String name, int replicas) {
        await(name + " is ready")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(INTERVAL)
                .until(() -> {
                    String[] now = get(
                                    "webapp/" + name,
                                    ".status.conditions[?(@.type==\"Ready\")].status} {.status.replicas}"
                                            + " {.status.observedGeneration} {.metadata.generation")
                            .split(" ", -1);
                    return now[0].equals("True") && now[1].equals(Integer.toString(replicas)) && now[2].equals(now[3]);
                });
    }

    private String filesChecksum(String name) {
        return get("deployment/" + name, ".spec.template.metadata.annotations.apps\\.reconciler4j\\.io/files-checksum");
    }

    private String secretChecksum(String name) {
        return get(
                "deployment/" + name, ".spec.template.metadata.annotations.apps\\.reconciler4j\\.io/secret-checksum");
    }

    private String get(String object, String path) {
        return kubectl("get", object, "-o", "jsonpath={" + path + "}");
    }

    private String kubectl(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "-n";
        all[1] = namespace;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return kubernetes.kubectl(all);
    }
}
