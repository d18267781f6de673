package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.RecordingProxy;
import io.github.reconciler4j.client.RecordingProxy.Kind;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.TestCertificates;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who the API server says that the user of a drawn kubeconfig is: the same for kubectl and for this client, or both refuse it. {@code
 * -Dkubectl.cases=300} draws more, {@code -Dkubectl.seed=7} repeats them, {@code -Dkubectl.only=12} draws one of them only.
 */
@RealKubernetesTest(components = {})
@Timeout(3000)
class KubectlIntegrationTests {

    private static final int CASES = Integer.getInteger("kubectl.cases", 82);
    private static final long SEED = Long.getLong("kubectl.seed", 1);
    private static final int ONLY = Integer.getInteger("kubectl.only", -1);
    private static final String REFUSED = "refused";

    private final RealKubernetes kubernetes;

    @TempDir
    private Path folder;

    KubectlIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void userOfADrawnKubeconfigIsThatOfKubectl(TestReporter reporter) throws Exception {
        TestCertificates certificates = TestCertificates.create("127.0.0.1", "localhost");
        Map<String, RecordingProxy> proxies = new HashMap<>();
        Map<String, Integer> ports = new HashMap<>();
        List<String> differences = new ArrayList<>();
        int accepted = 0;
        try (CapturedLog log = CapturedLog.of("ROOT")) {
            for (Kind kind : Kind.values()) {
                RecordingProxy proxy = new RecordingProxy(
                        kind, certificates, kubernetes.server().getPort(), null);
                proxies.put(kind.name(), proxy);
                ports.put(kind.name().toLowerCase(), proxy.port());
            }
            DrawnKubeconfig.Material material = material(certificates, ports);
            for (int i = Math.max(ONLY, 0); i < (ONLY < 0 ? CASES : ONLY + 1); i++) {
                Path own = Files.createDirectory(folder.resolve("case-" + i));
                OddKubeconfig odd = OddKubeconfig.ofCase(SEED + i);
                DrawnKubeconfig drawn = DrawnKubeconfig.draw(new Random(SEED + i), material, own, odd);
                List<String> reasons = new ArrayList<>();
                String theirs = kubectl(drawn, own, reasons);
                String ours = client(drawn, reasons);
                accepted += ours.equals(REFUSED) ? 0 : 1;
                if (!ours.equals(theirs)) {
                    differences.add(
                            "case " + i + " (" + drawn + "): kubectl " + theirs + ", client " + ours + ": " + reasons);
                }
            }
            assertThat(differences).as("differences with seed %d", SEED).isEmpty();
            for (String secret :
                    List.of(material.token(), material.keyPem().substring(40, 100), "s e@c", "s%20e%40c")) {
                assertThat(log.lines(Level.DEBUG)).noneMatch(line -> line.contains(secret));
            }
        } finally {
            proxies.values().forEach(RecordingProxy::close);
        }
        reporter.publishEntry("cases", CASES + " of seed " + SEED + ", accepted: " + accepted);
        assertThat(ONLY >= 0 ? CASES / 6 : accepted).as("accepted kubeconfigs").isBetween(CASES / 8, CASES * 9 / 10);
    }

    private DrawnKubeconfig.Material material(TestCertificates certificates, Map<String, Integer> ports)
            throws IOException {
        Map<?, ?> admin = user("admin");
        String authority =
                (String) first(kubeconfig("admin"), "clusters", "cluster").get("certificate-authority-data");
        return new DrawnKubeconfig.Material(
                kubernetes.server().toString(),
                decoded(authority) + "\n" + certificates.authorityPem(),
                mayEverything(),
                decoded((String) admin.get("client-certificate-data")),
                decoded((String) admin.get("client-key-data")),
                ports);
    }

    /** Returns the token of an account that may impersonate others. */
    private String mayEverything() {
        String namespace = kubernetes.createNamespace("kubectl");
        kubernetes.kubectl("create", "serviceaccount", "me", "-n", namespace);
        kubernetes.kubectl(
                "create",
                "clusterrolebinding",
                namespace,
                "--clusterrole=cluster-admin",
                "--serviceaccount=" + namespace + ":me");
        return kubernetes.serviceAccountToken(namespace, "me");
    }

    private Map<?, ?> user(String name) throws IOException {
        return first(kubeconfig(name), "users", "user");
    }

    private Map<?, ?> kubeconfig(String name) throws IOException {
        return KubernetesJson.readYaml(Files.readString(kubernetes.kubeconfig(name)), Map.class);
    }

    private static Map<?, ?> first(Map<?, ?> kubeconfig, String list, String content) {
        return (Map<?, ?>) ((Map<?, ?>) ((List<?>) kubeconfig.get(list)).get(0)).get(content);
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private String kubectl(DrawnKubeconfig drawn, Path home, List<String> reasons) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                kubernetes.binaries().resolve("kubectl").toString(),
                "auth",
                "whoami",
                "-o",
                "json",
                "--request-timeout=20s");
        builder.environment().keySet().removeIf(name -> name.toLowerCase().endsWith("_proxy"));
        builder.environment().putAll(drawn.environment());
        builder.environment().put("HOME", home.toString());
        builder.environment()
                .put(
                        "KUBECONFIG",
                        drawn.files().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        Path output = home.resolve("kubectl.out");
        Path errors = home.resolve("kubectl.err");
        Process process = builder.redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("end of kubectl for " + drawn)
                .isTrue();
        if (process.exitValue() != 0) {
            reasons.add("kubectl: " + Files.readString(errors).strip());
            return REFUSED;
        }
        return userInfo(Files.readAllBytes(output));
    }

    private static String client(DrawnKubeconfig drawn, List<String> reasons) {
        byte[] review = "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\"}"
                .getBytes(StandardCharsets.UTF_8);
        ApiRequest request = ApiRequest.of("create", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews")
                .withBody(ApiRequest.JSON, review)
                .withTimeout(Duration.ofSeconds(20));
        KubeconfigReader reader = KubeconfigReader.ofFiles(drawn.files()).withEnvironment(drawn.environment()::get);
        try (ApiConnection connection = ApiConnection.open(reader.read(null))) {
            return userInfo(connection.send(request).body());
        } catch (InvalidKubeconfigException | ApiException e) {
            reasons.add("client: " + e.getMessage());
            return REFUSED;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String userInfo(byte[] review) throws IOException {
        JsonNode user = KubernetesJson.mapper().readTree(review).at("/status/userInfo");
        return user.path("username").asText() + " " + user.path("uid").asText() + " " + user.path("groups") + " "
                + KubernetesJson.mapper().treeToValue(user.path("extra"), java.util.TreeMap.class);
    }
}
