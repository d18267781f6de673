package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts the operator as its image does: beans that Spring has found in the build, the cache of a training run, and the chart's
 * environment, properties and rights. With Java 25, which the image has, if {@code dev/test} has found it.
 */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class ImageStartIntegrationTests {

    private static final String LEASE = "demo-sample-operator";
    private static final String PROCESSED = "Starting AOT-processed SampleOperatorApplication";
    private static final String FALLBACK = "The application was processed ahead of time with other values of ";

    @TempDir
    private static Path application;

    private static TrainedJar trained;

    @TempDir
    private Path folder;

    private final RealKubernetes kubernetes;
    private InstalledChart chart;
    private String namespace;

    ImageStartIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @BeforeAll
    static void train() throws Exception {
        Path java = Stream.of(System.getProperty("other.jdk"), System.getProperty("java.home"))
                .filter(Objects::nonNull)
                .map(home -> Path.of(home, "bin", "java"))
                .findFirst()
                .orElseThrow();
        trained = TrainedJar.train(java, application);
        assertThat(trained.options()).endsWith("-Dspring.aot.enabled=true");
    }

    /** No Service leads to the webhooks of the process, so the API server continues without their answers. */
    @BeforeEach
    void install() throws Exception {
        chart = InstalledChart.install(
                kubernetes, folder, Map.of("webhook", Map.of("enabled", true, "failurePolicy", "Ignore")));
        namespace = kubernetes.createNamespace("image");
        kubernetes.kubectl("-n", InstalledChart.NAMESPACE, "delete", "lease", "--all");
    }

    private OperatorProcess start(Map<String, String> variables, String... arguments) {
        Map<String, String> all = new HashMap<>(chart.variables());
        all.put("KUBECONFIG", chart.kubeconfig().toString());
        all.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        all.put("KUBERNETES_SERVICE_PORT", "443");
        all.put("HOSTNAME", "demo-sample-operator-0");
        all.put("RECONCILER4J_WEBHOOK_PORT", "0");
        all.putAll(variables);
        return OperatorProcess.start(folder, trained.command(), trained.jar(), all, arguments);
    }

    @Test
    void operatorWhenStartedAsItsImageDoesHoldsItsLeaseAndReconciles() throws Exception {
        try (OperatorProcess operator = start(Map.of()).awaitReady()) {
            assertReconciles("hello");
            assertThat(kubernetes.kubectl(
                            "-n",
                            InstalledChart.NAMESPACE,
                            "get",
                            "lease",
                            LEASE,
                            "-o",
                            "jsonpath={.spec.holderIdentity}"))
                    .startsWith("demo-sample-operator-0");
            assertThat(operator.log()).contains(PROCESSED).doesNotContain(FALLBACK);
            assertThat(operator.stop()).isEqualTo(143);
        }
    }

    @Test
    void operatorWhenTogglesDifferFromTheBuildHonorsThemAndSaysSo() {
        try (OperatorProcess operator = start(
                        Map.of("RECONCILER4J_WEBHOOK_ENABLED", "false"),
                        "--spring.profiles.active=shop",
                        "--sample.secrets.enabled=false",
                        "--management.endpoint.reconciler4j.access=none")
                .awaitReady()) {
            assertReconciles("hello");
            assertThat(operator.log().lines().filter(line -> line.contains(FALLBACK)))
                    .singleElement()
                    .asString()
                    .contains("[management.endpoint.reconciler4j.access, reconciler4j.webhook.enabled,"
                            + " sample.secrets.enabled, spring.profiles.active], which decide which beans exist.");
            assertThat(operator.log()).doesNotContain("Serving webhooks");
            assertThat(operator.status("/actuator/reconciler4j")).isEqualTo(404);
        }
    }

    @Test
    void operatorWhenItsKindOfContextDiffersFromTheBuildStartsWithoutWebServer() {
        try (OperatorProcess operator = start(Map.of("SPRING_MAIN_WEBAPPLICATIONTYPE", "none"))) {
            operator.awaitLog("has acquired lease");
            assertReconciles("hello");
            assertThat(operator.log())
                    .contains(FALLBACK + "[spring.main.web-application-type]")
                    .doesNotContain("Tomcat");
        }
    }

    @Test
    void operatorWhenTrainedReconcilesWithTheCacheAndWithOneOfAnotherJar() throws Exception {
        TrainingIntegrationTests.assertReconcilesWithTheCacheAndWithOneOfAnotherJar(trained, folder);
    }

    private void assertReconciles(String name) {
        kubernetes.kubectlWithInput(WebApps.yaml(name, "replicas: 1"), "-n", namespace, "apply", "-f", "-");
        await("the Deployment of the WebApp")
                .atMost(Duration.ofMinutes(2))
                .until(() -> !kubernetes
                        .kubectl("-n", namespace, "get", "deployment", name, "--ignore-not-found", "-o", "name")
                        .isEmpty());
    }
}
