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

    @Test
    void kubeconfigWhenThePropertyNamesItUsesTheProxiesOfTheEnvironmentToo() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG.replace("127.0.0.1:1", "api.example"));
        System.setProperty("https.proxy", "http://proxy:3128");
        System.setProperty("no.proxy", "other.example,10.0.0.0/8");
        try {
            for (Config config : List.of(client(null), client(kubeconfig.toString()))) {
                assertThat(config.getHttpsProxy()).isEqualTo("http://proxy:3128");
                assertThat(config.getNoProxy()).containsExactly("other.example", "10.0.0.0/8");
            }
        } finally {
            System.clearProperty("https.proxy");
            System.clearProperty("no.proxy");
        }
    }

    @Test
    void kubeconfigWhenItImpersonatesOrHasAProxyIsFollowed() throws IOException {
        Files.writeString(
                kubeconfig,
                KUBECONFIG
                        .replace("token: s3cr3t", "token: s3cr3t, as: jane, as-uid: u1, as-groups: [g1, g2]")
                        .replace(":1\"}", ":1\", proxy-url: \"socks5://proxy\"}"));
        for (Config config : List.of(client(null), client(kubeconfig.toString()))) {
            assertThat(config.getImpersonateUsername()).isEqualTo("jane");
            assertThat(config.getImpersonateGroups()).containsExactly("g1", "g2");
            assertThat(config.getCustomHeaders()).containsEntry("Impersonate-Uid", "u1");
            assertThat(config.getHttpsProxy()).isEqualTo("socks5://proxy");
        }
    }

    @Test
    void startWhenThePluginTimeoutIsNotPositiveNamesTheProperty() throws IOException {
        Files.writeString(kubeconfig, KUBECONFIG);
        assertReport(
                runner.withPropertyValues("reconciler4j.client.plugin-timeout=0s"),
                "'reconciler4j.client.plugin-timeout' must be positive");
    }

    private static Config client(@Nullable String file) {
        return ClusterConfig.read(new OperatorProperties.Client(
                file, null, Duration.ofMinutes(1), null, null, null, Duration.ofSeconds(30), null, null, Set.of()));
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
            assertThat(report.getAction()).contains("@OperatorTest", "reconciler4j.client.kubeconfig", "(R4J-306)");
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
