package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The life of a release with Helm itself on a real control plane, from the first installation of an older chart to the
 * uninstallation. {@link LocalKubelet} stands for nodes: it runs the Deployment's pods as processes with their settings,
 * service account and rights.
 */
@Tag("whole")
class HelmIntegrationTests {

    private static final String NAMESPACE = "operators";
    /** Much more than a start takes, for machines that do much else. */
    private static final String TIMEOUT = "10m";

    private static final Duration WAIT = Duration.ofMinutes(3);
    /** Each look is a run of kubectl, which takes a tenth of a second of a processor. */
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** An operator ends that loses its lease, as on a machine that does much else. */
    private static final String PATIENT = """
            properties:
              reconciler4j.leader-election.lease-duration: 40s
              reconciler4j.leader-election.renew-deadline: 30s
            """;

    private static final String DEFINITION = "crd/webapps.apps.reconciler4j.io";

    private static final List<String> CONFIGURATIONS = List.of(
            "validatingwebhookconfiguration/demo-sample-operator", "mutatingwebhookconfiguration/demo-sample-operator");

    private static final String BETA = "webapps.v1beta1.apps.reconciler4j.io";

    /** In the definition of the older chart. */
    private static final String OLD_LIMIT = "maximum: 5";

    private LocalServices services;
    private RealKubernetes kubernetes;
    private LocalKubelet kubelet;

    /** The pods that existed when the release was uninstalled. */
    private Set<String> uninstalled = Set.of();

    @TempDir
    private Path folder;

    @BeforeEach
    void startCluster() throws IOException {
        services = LocalServices.start(folder);
        Path configuration = services.writeConfiguration(folder.resolve("egress.yaml"));
        kubernetes = RealKubernetes.start(RealKubernetesOptions.defaults()
                .withOnly(KubernetesComponent.CONTROLLER_MANAGER)
                .withArgument(KubernetesComponent.APISERVER, "--egress-selector-config-file=" + configuration));
        Path jar;
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            jar = files.filter(file -> file.toString().endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath();
        }
        kubernetes.kubectl("create", "namespace", NAMESPACE);
        Map<String, Path> images =
                Map.of("reconciler4j/sample-operator:0.0.9", jar, "reconciler4j/sample-operator:0.1.0-SNAPSHOT", jar);
        kubelet = LocalKubelet.start(kubernetes, NAMESPACE, folder.resolve("pods"), images);
        services.serve(kubelet.client(), kubelet::pods);
    }

    @AfterEach
    void stopCluster() throws Exception {
        kubelet.stop();
        kubernetes.close();
        services.close();
    }

    @Test
    void releaseWhenInstalledUpgradedRolledBackAndUninstalledKeepsObjectsOfItsKinds() throws Exception {
        Path old = olderChart();
        helm("install", "demo", old.toString(), "--wait", "--timeout", TIMEOUT);
        assertThat(limit()).isEqualTo("5");
        create("hello", 2);
        awaitReconciled("hello", 2);
        assertThat(scale("hello", 7)).contains("should be less than or equal to 5");
        String uid = get("webapp/hello", ".metadata.uid");
        assertAdmissionAndConversion();
        assertUpgradeKeepsTrust();
        assertThat(limit()).isNotEqualTo("5");
        awaitScaled("hello", 7);
        awaitReconciled("hello", 7);
        awaitScaled("hello", 3);

        assertFailedUpgradeRollsBack();
        awaitReconciled("hello", 3);
        awaitMigrated();
        assertForcedUpgradeRestoresTrust();

        helm("rollback", "demo", "1", "--wait", "--timeout", TIMEOUT);
        assertThat(image()).endsWith(":0.0.9");
        assertAdmissionAndConversion();
        assertThat(limit()).isEqualTo("5");

        uninstall();
        assertThat(kubernetes.kubectl("get", "clusterrole,clusterrolebinding", "-o", "name"))
                .doesNotContain("demo");
        assertThat(get("webapp/hello", ".metadata.uid")).isEqualTo(uid);

        helm("install", "demo", Chart.FOLDER.toString(), "--wait", "--timeout", TIMEOUT, "--set", "replicas=2");
        assertThat(get("webapp/hello", ".metadata.uid")).isEqualTo(uid);
        awaitScaled("hello", 4);
        awaitReconciled("hello", 4);
        assertAdmissionAndConversion();
        assertEndedInOrder();
    }

    /** Users see what the webhooks do. The first calls can precede the certificate in the configurations. */
    private void assertAdmissionAndConversion() throws Exception {
        await("the API server can call the webhooks")
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(apply(WebApps.yaml("denied", "files: {a/b: text}")))
                        .contains(
                                "The WebApp \"denied\" is invalid",
                                "spec.files: Invalid value: \"a/b\": must be the name of a file, without a folder"));
        assertThat(apply(WebApps.yaml("idle", "replicas: 0").replace("web:1", "example/idle")))
                .contains("Warning: spec.replicas is 0: the application is not available", "webapp.apps");
        assertThat(get("webapp/idle", ".spec.image")).isEqualTo("example/idle:latest");
        await("conversion")
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(get(BETA + "/idle", ".spec"))
                        .contains("\"image\":\"example/idle:latest\"", "\"instances\":0"));
        kubernetes.kubectl("delete", BETA + "/idle");
    }

    /** Returns what would differ if a release had removed the certificate authority that the operator had applied. */
    private List<String> trust() {
        List<String> trust = new ArrayList<>(bundles());
        for (String kind : CONFIGURATIONS) {
            trust.add(get(kind, ".metadata.generation"));
        }
        assertThat(trust).noneMatch(String::isBlank);
        return trust;
    }

    private List<String> bundles() {
        List<String> bundles = new ArrayList<>();
        for (String kind : CONFIGURATIONS) {
            bundles.add(get(kind, ".webhooks[0].clientConfig.caBundle"));
        }
        bundles.add(get(DEFINITION, ".spec.conversion.webhook.clientConfig.caBundle"));
        return bundles;
    }

    private void assertUpgradeKeepsTrust() throws Exception {
        assertThat(storedVersions()).isEqualTo("[\"v1beta1\"]");
        List<String> before = trust();
        helm("upgrade", "demo", Chart.FOLDER.toString(), "--wait", "--timeout", TIMEOUT);
        assertThat(trust()).as("generation and caBundle of each configuration").isEqualTo(before);
    }

    private void assertFailedUpgradeRollsBack() throws Exception {
        assertThat(helmFails("upgrade", "demo", Chart.FOLDER.toString(), "--set", "image.tag=missing", "--atomic"))
                .as("the upgrade to an image that does not exist")
                .isTrue();
        assertThat(image()).endsWith(":0.1.0-SNAPSHOT");
    }

    /** Such an upgrade replaces the configurations, so the operator must apply the certificate authority again. */
    private void assertForcedUpgradeRestoresTrust() throws Exception {
        List<String> before = bundles();
        helm("upgrade", "demo", Chart.FOLDER.toString(), "--force", "--wait", "--timeout", TIMEOUT);
        await("the operator has applied the certificate authority again")
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(bundles()).isEqualTo(before));
    }

    /** A Job of the chart has ended the conversion. */
    private void assertObjectsCanBeReadWithoutTheOperator() {
        assertThat(get(DEFINITION, ".spec.conversion.strategy")).isEqualTo("None");
        assertThat(kubernetes.kubectl("get", BETA, "-o", "name")).contains("hello");
        assertThat(kubelet.pods())
                .filteredOn(pod -> pod.name().contains("clean-up"))
                .singleElement()
                .satisfies(pod -> assertThat(pod.exitCode()).as(pod.log()).isZero());
    }

    private void uninstall() throws Exception {
        assertNoneWasRefused(kubelet.pods());
        uninstalled = names(kubelet.pods());
        helm("uninstall", "demo", "--wait", "--timeout", TIMEOUT);
        awaitPodsEnd();
        assertObjectsCanBeReadWithoutTheOperator();
    }

    private void awaitPodsEnd() {
        await("the end of the pods, which Helm does not wait for")
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(
                                kubernetes.kubectl("-n", NAMESPACE, "get", "all,cm,sa,role,rolebinding", "-o", "name"))
                        .doesNotContain("demo"));
    }

    private static Set<String> names(List<LocalPod> pods) {
        return pods.stream().map(LocalPod::name).collect(Collectors.toSet());
    }

    private static void assertNoneWasRefused(List<LocalPod> pods) {
        assertThat(pods)
                .allSatisfy(pod -> assertThat(pod.log().lines())
                        .as(pod.name())
                        .noneMatch(line -> line.contains("Forbidden") || line.contains("forbidden")));
    }

    /**
     * Every process that Kubernetes stopped ended at SIGTERM, that of the Job when it was done, and none was refused a request. Those that
     * ran when the release was uninstalled were asked before: Helm deletes the Deployment and then the role at once, while Kubernetes has
     * not stopped the pods yet, and what they ask meanwhile is refused, for the lease and the certificate for example.
     */
    private void assertEndedInOrder() {
        assertThat(kubelet.pods()).hasSizeGreaterThanOrEqualTo(5).allSatisfy(pod -> {
            assertThat(pod.exitCode())
                    .as(() -> pod.name() + ", whose log ends with "
                            + pod.log().substring(Math.max(0, pod.log().length() - 3000)))
                    .isIn(-1, 143, 0);
            boolean job = pod.name().contains("clean-up"); // has another bean than the build
            assertThat(pod.log())
                    .as(pod.name())
                    .contains(job ? "as if it was not processed" : "Starting AOT-processed")
                    .doesNotContain(job ? "Starting AOT-processed" : "as if it was not processed");
        });
        assertNoneWasRefused(kubelet.pods().stream()
                .filter(pod -> !uninstalled.contains(pod.name()))
                .toList());
    }

    /** The chart as it was a release ago: another version of the operator, and a stricter definition with another storage version. */
    private Path olderChart() throws IOException {
        Path old = folder.resolve("sample-operator");
        try (Stream<Path> files = Files.walk(Chart.FOLDER)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = old.resolve(Chart.FOLDER.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                String text = Files.readString(file);
                if (file.endsWith("Chart.yaml")) {
                    text = text.replace("version: 0.1.0", "version: 0.0.9")
                            .replace("appVersion: \"0.1.0-SNAPSHOT\"", "appVersion: \"0.0.9\"");
                }
                if (file.getParent().endsWith("crds")) {
                    assertThat(text).contains("maximum: 100");
                    text = text.replace("maximum: 100", OLD_LIMIT)
                            .replace("storage: true", "storage: former")
                            .replace("storage: false", "storage: true")
                            .replace("storage: former", "storage: false");
                }
                Files.writeString(copy, text);
            }
        }
        return old;
    }

    private void create(String name, int replicas) {
        await("the webhooks can be called")
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(apply(WebApps.yaml(name, "replicas: " + replicas)))
                        .contains("webapp.apps.reconciler4j.io/" + name));
    }

    /** Applies a WebApp and returns what kubectl printed. */
    private String apply(String yaml) throws Exception {
        Path file = Files.writeString(Files.createTempFile(folder, "object", ".yaml"), yaml);
        return run(
                        kubernetes.binaries().resolve("kubectl").toString(),
                        "--kubeconfig",
                        kubernetes.kubeconfig("admin").toString(),
                        "apply",
                        "-f",
                        file.toString())
                .output();
    }

    /** Changes the replicas and returns what kubectl printed. */
    private String scale(String name, int replicas) throws Exception {
        return run(
                        kubernetes.binaries().resolve("kubectl").toString(),
                        "--kubeconfig",
                        kubernetes.kubeconfig("admin").toString(),
                        "patch",
                        "webapp/" + name,
                        "--type=merge",
                        "-p",
                        "{\"spec\": {\"replicas\": " + replicas + "}}")
                .output();
    }

    /** A call of the webhooks can fail at the first attempts after a change of the release. */
    private void awaitScaled(String name, int replicas) {
        await("the API server accepts " + replicas + " replicas of " + name)
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(scale(name, replicas)).contains("patched"));
    }

    private void awaitReconciled(String name, int replicas) {
        await("the Deployment " + name + " has " + replicas + " replicas")
                .atMost(WAIT)
                .pollInterval(INTERVAL)
                .ignoreExceptions()
                .until(() -> get("deployment/" + name, ".spec.replicas").equals(Integer.toString(replicas)));
    }

    private String limit() {
        return get(DEFINITION, ".spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.replicas.maximum");
    }

    private String storedVersions() {
        return get(DEFINITION, ".status.storedVersions");
    }

    /**
     * The chart has changed the storage version, and the operator rewrites the objects. After each change of the definition it first
     * waits for more than a minute until no request stores objects in the former version, so the test does other things meanwhile.
     */
    private void awaitMigrated() {
        await("no object is stored in the former version")
                .atMost(WAIT.multipliedBy(2))
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(storedVersions()).isEqualTo("[\"v1\"]"));
    }

    private String image() {
        return kubernetes.kubectl(
                "-n",
                NAMESPACE,
                "get",
                "deployment/demo-sample-operator",
                "-o",
                "jsonpath={.spec.template.spec.containers[0].image}");
    }

    private String get(String object, String path) {
        return kubernetes.kubectl("get", object, "-o", "jsonpath={" + path + "}");
    }

    private void helm(String... arguments) throws Exception {
        Finished finished = runHelm(arguments);
        assertThat(finished.code())
                .as("helm " + String.join(" ", arguments) + "\n" + finished.output() + logs())
                .isZero();
    }

    private boolean helmFails(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--timeout", "20s"));
        return runHelm(all.toArray(String[]::new)).code() != 0;
    }

    private Finished runHelm(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of("..", "dev", "kubernetes").toString(), "helm", "--name", kubernetes.name()));
        command.addAll(List.of(arguments));
        if (List.of("install", "upgrade").contains(arguments[0])) {
            Path values = Files.writeString(folder.resolve("values.yaml"), PATIENT);
            command.addAll(List.of("--values", values.toString()));
        }
        command.addAll(List.of("--namespace", NAMESPACE));
        return run(command.toArray(String[]::new));
    }

    private String logs() {
        StringBuilder logs = new StringBuilder();
        kubelet.pods()
                .forEach(pod ->
                        logs.append("\n--- ").append(pod.name()).append('\n').append(pod.log()));
        return logs.toString();
    }

    private record Finished(int code, String output) {}

    private Finished run(String... command) throws Exception {
        Path output = Files.createTempFile(folder, "command", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(15, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return new Finished(process.waitFor(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
