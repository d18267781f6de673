package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboards and the alerts with a Prometheus that scrapes the sample operator on a real control plane. First everything is calm,
 * then one fault after the other is injected. The alerts have a shorter duration and window here. The profile {@code nightly} runs it.
 */
@EnabledIfSystemProperty(
        named = "prometheus",
        matches = "true",
        disabledReason = "needs -Dprometheus=true, which builds Prometheus from Go modules once")
@RealKubernetesTest(
        dedicated = true,
        components = {KubernetesComponent.CONTROLLER_MANAGER})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PrometheusIntegrationTests {

    private static final Path FOLDER = Path.of("../observability");
    private static final String WINDOW = "20s";

    private static RealKubernetes kubernetes;
    private static Prometheus prometheus;
    private static InstalledChart chart;
    private static OperatorProcess operator;
    private static String namespace;

    @BeforeAll
    static void start(RealKubernetes cluster, @TempDir Path folder) throws Exception {
        kubernetes = cluster;
        chart = InstalledChart.install(kubernetes, folder, Map.of());
        namespace = kubernetes.createNamespace("webapps");
        int webhooks = Prometheus.freePort();
        operator = OperatorProcess.start(
                        folder,
                        "--spring.config.additional-location=" + folder + "/",
                        "--reconciler4j.client.kubeconfig=" + kubernetes.kubeconfig(),
                        "--reconciler4j.leader-election.on-lost=rejoin",
                        "--management.endpoint.reconciler4j.access=unrestricted",
                        "--reconciler4j.webhook.enabled=true",
                        "--reconciler4j.webhook.apply-configurations=true",
                        "--reconciler4j.webhook.certificates.secret-namespace=" + InstalledChart.NAMESPACE,
                        "--reconciler4j.webhook.port=" + webhooks,
                        "--reconciler4j.webhook.url=https://127.0.0.1:" + webhooks)
                .awaitReady();
        prometheus = Prometheus.start(folder, quickRules(folder));
        prometheus.scrape(List.of(new Prometheus.Target("calm", operator.port())));
    }

    @AfterAll
    static void stop() {
        if (operator != null) {
            operator.close();
        }
        if (prometheus != null) {
            prometheus.close();
        }
    }

    private static Path quickRules(Path folder) throws IOException {
        String rules = Files.readString(FOLDER.resolve("alerts.yaml"))
                .replaceAll("(?m)^( +for:) .*$", "$1 2s")
                .replaceAll("\\[\\d+m]", "[" + WINDOW + "]");
        return Files.writeString(folder.resolve("rules.yaml"), rules);
    }

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>(KubebuilderDashboards.queries("operators", "calm", "calm-0"));
        try (Stream<Path> dashboards = Files.list(FOLDER.resolve("dashboards"))) {
            for (Path dashboard : dashboards.sorted().toList()) {
                new ObjectMapper()
                        .readTree(dashboard.toFile())
                        .findValues("expr")
                        .forEach(expr -> queries.add(expr.asText()
                                .replace("$namespace", "calm")
                                .replace("$controller", ".*")
                                .replace("$__rate_interval", WINDOW)));
            }
        }
        return queries;
    }

    private static void apply(String name, String... spec) {
        kubernetes.kubectlWithInput(WebApps.yaml(name, spec), "-n", namespace, "apply", "-f", "-");
    }

    private static void awaitAlert(String alert, Runnable meanwhile) {
        await("the alert " + alert + "; those that fire are listed below")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    meanwhile.run();
                    assertThat(prometheus.firing()).contains(alert);
                });
    }

    private static void awaitCalm() {
        await("no alert fires")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());
    }

    @Test
    @Order(1)
    void panelsWhenTheOperatorWorksHaveDataAndNoAlertFires() throws IOException {
        List<String> empty = new ArrayList<>(queries());
        assertThat(empty).hasSizeGreaterThan(70);
        int[] round = {0};
        await("the first scrapes")
                .atMost(Duration.ofMinutes(1))
                .until(() ->
                        !prometheus.query("controller_runtime_reconcile_total").isEmpty());
        await("data of every panel")
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    apply("app-" + round[0]++ % 5, "replicas: " + (1 + round[0] % 3));
                    assertThat(prometheus.firing()).isEmpty();
                    empty.removeIf(query -> !prometheus.query(query).isEmpty());
                    assertThat(empty).as("queries without data").isEmpty();
                });
    }

    @Test
    @Order(2)
    void alertWhenObjectsFailFires() {
        awaitCalm();
        kubernetes.kubectlWithInput("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: no-deployments}
                spec:
                  matchConstraints:
                    resourceRules:
                      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
                  validations: [{expression: "false"}]
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: no-deployments}
                spec: {policyName: no-deployments, validationActions: [Deny]}
                """, "apply", "-f", "-");
        int[] round = {0};
        awaitAlert("OperatorReconcileErrors", () -> apply("failing-" + round[0]++, "replicas: 1"));

        kubernetes.kubectl("delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", "no-deployments");
        awaitCalm();
    }

    @Test
    @Order(3)
    void alertWhenTheControllerIsPausedFires() {
        assertThat(operator.post("/actuator/reconciler4j/webapp", "{\"action\": \"PAUSE\"}")
                        .statusCode())
                .isEqualTo(200);
        apply("paused", "replicas: 1");
        awaitAlert("OperatorQueueBlocked", () -> {});

        operator.post("/actuator/reconciler4j/webapp", "{\"action\": \"RESUME\"}");
        awaitCalm();
    }

    @Test
    @Order(4)
    void alertWhenAnOperatorCannotReadAKindFires() {
        kubernetes.kubectlWithInput(
                chartRoleWithout("secrets"), "apply", "--server-side", "--force-conflicts", "-f", "-");
        try (OperatorProcess other = chart.start("--reconciler4j.leader-election.enabled=false")) {
            other.awaitLog("secrets").awaitLog("Tomcat started on port");
            prometheusScrapes(other);
            awaitAlert("OperatorCacheNotSynced", () -> {});
            awaitAlert("OperatorCacheBlocked", () -> {});
        } finally {
            prometheusScrapes();
        }
        awaitCalm();
    }

    private static String chartRoleWithout(String resource) {
        ClusterRole role = Chart.one(Chart.render(Map.of()), ClusterRole.class, "demo-sample-operator");
        role.getRules().forEach(rule -> rule.getResources().remove(resource));
        role.getRules().removeIf(rule -> rule.getResources().isEmpty());
        return new KubernetesSerialization().asYaml(role);
    }

    private static void prometheusScrapes(OperatorProcess... others) {
        List<Prometheus.Target> targets = new ArrayList<>(List.of(new Prometheus.Target("calm", operator.port())));
        for (OperatorProcess other : others) {
            targets.add(new Prometheus.Target("other", other.port()));
        }
        try {
            prometheus.scrape(targets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Order(5)
    void alertWhenAnObjectCannotBeReadFires() {
        apply("odd", "replicas: 1");
        String path = "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/url";
        kubernetes.kubectl(
                "patch",
                "crd",
                "webapps.apps.reconciler4j.io",
                "--type=json",
                "-p",
                "[{\"op\": \"replace\", \"path\": \"" + path + "\","
                        + " \"value\": {\"x-kubernetes-preserve-unknown-fields\": true}}]");
        await("the new schema is used")
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> patchStatus("{\"url\": {\"of\": \"a newer version\"}}"));
        awaitAlert("OperatorUndecodableObjects", () -> {});

        patchStatus("{\"url\": null}");
        awaitCalm();
    }

    /** Not covered by the webhooks, which would deny an object that they cannot read. */
    private static boolean patchStatus(String status) {
        kubernetes.kubectl(
                "-n",
                namespace,
                "patch",
                "webapp",
                "odd",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\": " + status + "}");
        return true;
    }

    @Test
    @Order(6)
    void alertsWhenTheApiServerIsAwayFire() {
        kubernetes.stop(KubernetesComponent.APISERVER);
        try {
            awaitAlert("OperatorApiErrors", () -> {});
            awaitAlert("OperatorHasNoLeader", () -> {});
        } finally {
            kubernetes.start(KubernetesComponent.APISERVER);
        }
        awaitCalm();
    }

    @Test
    @Order(7)
    void alertWhenNoOperatorRunsFires() throws InterruptedException {
        operator.stop();
        awaitAlert("OperatorDown", () -> {});
        assertThat(prometheus.firing()).containsExactly("OperatorDown");
    }
}
