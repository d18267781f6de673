package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Manager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which cluster the operator connects to, and how it reports a missing or invalid one. */
class ClusterConfigTests {

    private static final String SECRET = "s3cr3t";
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: here
            contexts:
            - {name: here, context: {cluster: here, user: me}}
            clusters:
            - {name: here, cluster: {server: "https://127.0.0.1:1"}}
            users:
            - {name: me, user: {token: s3cr3t}}
            """;

    @TempDir
    private Path folder;

    private Path kubeconfig;

    private final ApplicationContextRunner inTest =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class));

    private final ApplicationContextRunner runner = inTest.withClassLoader(
                    new FilteredClassLoader(SpringBootTest.class))
            .withPropertyValues("reconciler4j.auto-startup=false");

    /** The system property that fabric8 looks at before the environment variable. */
    @BeforeEach
    void nameKubeconfig() {
        kubeconfig = folder.resolve("config");
        System.setProperty("kubeconfig", kubeconfig.toString());
    }

    @AfterEach
    void clear() {
        System.clearProperty("kubeconfig");
    }

    @Test
    void kubeconfigOfTheEnvironmentWhenValidIsUsed() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG);
        runner.run(context ->
                assertThat(context.getBean(Config.class).getMasterUrl()).startsWith("https://127.0.0.1:1"));
    }

    /** Kubeconfigs without references are not read by fabric8 itself. */
    @Test
    void kubeconfigIsReadAsFabric8ReadsIt() throws IOException {
        String rich = KUBECONFIG
                .replace(
                        "user: me}",
                        "user: me, namespace: team, extensions: [{name: x, extension: {kind: Y, a: {b: 1}}}]}")
                .replace(
                        ":1\"}",
                        ":1\", certificate-authority-data: QQ==, tls-server-name: a, insecure-skip-tls-verify: true}")
                .replace(
                        "token:",
                        "as: other, username: u, password: p, client-key-data: Qg==, client-certificate-data: Qw==, token:");
        for (String content : List.of(
                KUBECONFIG,
                rich,
                KUBECONFIG.replace(
                        "user: {token: s3cr3t}", "user: {client-key: key.pem, client-certificate: cert.pem}"),
                KUBECONFIG.replace("user: {token: s3cr3t}", "user: {tokenFile: token}"),
                KUBECONFIG.replace("user: {token: s3cr3t}", "user: {exec: {command: echo, apiVersion: v1}}"),
                KUBECONFIG.replace(", user: me", ""))) {
            Files.writeString(kubeconfig, content);
            assertSame(ClusterConfig.read(client(null)), Config.autoConfigure(null));
            assertSame(
                    ClusterConfig.read(client(kubeconfig.toString())),
                    Config.fromKubeconfig(null, kubeconfig.toFile()));
        }
    }

    private static OperatorProperties.Client client(@Nullable String file) {
        return new OperatorProperties.Client(
                file, null, null, null, null, Duration.ofSeconds(30), null, null, Set.of());
    }

    /** The additional properties of the parts of a kubeconfig name its file. */
    private static void assertSame(Config config, Config expected) {
        assertThat(config)
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*additionalProperties.*")
                .isEqualTo(expected);
    }

    @Test
    void startWhenThereIsNoClusterFailsAtOnce() {
        assertReport(runner, "No Kubernetes cluster is configured", kubeconfig.toString());
    }

    @Test
    void startWhenTheKubeconfigIsNoYamlNamesTheFileAndShowsNothingOfIt() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG.replace("users:", "users: {" + SECRET + "\n"));
        assertReport(runner, "The kubeconfig '" + kubeconfig + "' is not a valid kubeconfig");
        System.setProperty("kubeconfig", folder.resolve("none").toString());
        assertReport(
                runner.withPropertyValues("reconciler4j.client.kubeconfig=" + kubeconfig),
                "'reconciler4j.client.kubeconfig' is '" + kubeconfig + "', which is not a valid kubeconfig");
    }

    @Test
    void startWhenTheKubeconfigHasNoContextNamesTheFile() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG.replace("current-context: here", ""));
        assertReport(runner, "The kubeconfig '" + kubeconfig + "' has no current context");
        assertReport(
                runner.withPropertyValues("reconciler4j.client.kubeconfig=" + kubeconfig),
                "'" + kubeconfig + "', which has no current context");
    }

    @Test
    void startWhenTheServerIsNoUrlSaysSo() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG.replace("https://127.0.0.1:1", "not a url"));

        assertReport(runner, "The address of the API server is not a URL");
    }

    @Test
    void startWhenTheContextDoesNotExistNamesTheProperty() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG);
        assertReport(
                runner.withPropertyValues("reconciler4j.client.context=there"),
                "'reconciler4j.client.context' is 'there'");
    }

    @Test
    void startOfATestWhenItNamesNoClusterIsRefused() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG);
        inTest.run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains("A test started the operator");
            assertThat(report.getAction()).contains("@OperatorTest", "reconciler4j.client.kubeconfig");
        });
    }

    @Test
    void clusterOfATestWhenTheOperatorDoesNotStartIsNone() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG);
        inTest.withPropertyValues("reconciler4j.auto-startup=false").run(context -> {
            assertThat(context).hasSingleBean(Manager.class);
            assertThat(context.getBean(Config.class).getMasterUrl()).contains("no-cluster-in-tests.invalid");
            assertThat(context.getBean(Config.class).getAutoOAuthToken()).isNull();
        });
    }

    @Test
    void clusterOfATestWhenThePropertyNamesAKubeconfigIsThat() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), KUBECONFIG.replace("127.0.0.1:1", "127.0.0.1:2"));
        inTest.withPropertyValues("reconciler4j.auto-startup=false", "reconciler4j.client.kubeconfig=" + other)
                .run(context ->
                        assertThat(context.getBean(Config.class).getMasterUrl()).contains("127.0.0.1:2"));
    }

    private static void assertReport(ApplicationContextRunner runner, String... texts) {
        runner.run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains(texts).doesNotContain(SECRET);
        });
    }
}
