package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * GitOps controllers apply the files of the chart again and again while the operator runs. Neither undoes what the other wrote:
 * after the first time, no object changes any more.
 */
@Tag("whole")
class GitOpsSelfHealIntegrationTests {

    private static final String NAMESPACE = "operators";
    private static final Duration WAIT = Duration.ofMinutes(2);

    /** As long as a dozen checks of the operator, which looks at its authority each second with these lives. */
    private static final long HEALING = Duration.ofSeconds(15).toNanos();

    private RealKubernetes kubernetes;
    private ConfigurableApplicationContext operator;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() {
        kubernetes =
                RealKubernetes.start(RealKubernetesOptions.defaults().withOnly(KubernetesComponent.CONTROLLER_MANAGER));
        kubernetes.kubectl("create", "namespace", NAMESPACE);
    }

    @AfterEach
    void stop() {
        if (operator != null) {
            operator.close();
        }
        kubernetes.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"argocd-controller", "kustomize-controller", "client-side"})
    void objectsOfTheChartWhenAppliedAgainAndAgainStayAsTheOperatorCompletedThem(String manager) throws Exception {
        List<HasMetadata> chart = chart();
        Path files = Files.writeString(folder.resolve("all.yaml"), yaml(chart));
        String[] apply = command(manager, files);
        kubernetes.kubectl(apply);
        startOperator(chart);
        await("the operator has applied its authority")
                .atMost(WAIT)
                .untilAsserted(() -> assertThat(bundles(chart)).hasSize(3).doesNotContain(""));
        List<String> bundles = bundles(chart);
        Map<String, String> before = versions(chart);

        long start = System.nanoTime();
        int rounds = 0;
        while (System.nanoTime() - start < HEALING || rounds < 3) {
            kubernetes.kubectl(apply);
            rounds++;
        }

        assertThat(versions(chart)).as("after " + rounds + " rounds").isEqualTo(before);
        assertThat(bundles(chart)).isEqualTo(bundles);
        assertThat(kubernetes.kubectl("get", "clusterrole", "view", "-o", "jsonpath={.rules[*].resources}"))
                .as("the aggregated role")
                .contains("webapps");
    }

    private static String[] command(String manager, Path files) {
        return manager.equals("client-side")
                ? new String[] {"apply", "-f", files.toString()}
                : new String[] {
                    "apply", "--server-side", "--force-conflicts", "--field-manager=" + manager, "-f", files.toString()
                };
    }

    private static List<HasMetadata> chart() {
        return Chart.render(Map.of("leaderElection", Map.of("enabled", true))).stream()
                .filter(object -> object.getMetadata().getAnnotations() == null
                        || !object.getMetadata().getAnnotations().containsKey("helm.sh/hook"))
                .toList();
    }

    private static String yaml(List<HasMetadata> objects) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        return objects.stream().map(serialization::asYaml).collect(Collectors.joining("\n---\n"));
    }

    /** With the settings and the rights of the chart. */
    private void startOperator(List<HasMetadata> chart) throws Exception {
        Files.writeString(
                folder.resolve("application.properties"),
                Chart.one(chart, ConfigMap.class).getData().get("application.properties"));
        Config config = kubernetes.serviceAccountConfig(
                NAMESPACE, Chart.one(chart, ServiceAccount.class).getMetadata().getName());
        operator = new SpringApplicationBuilder(SampleOperatorApplication.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("config", config))
                .run(
                        "--spring.config.additional-location=" + folder + "/",
                        "--spring.main.banner-mode=off",
                        "--server.port=0",
                        "--reconciler4j.webhook.port=0");
    }

    /** The authority in each webhook, and in the conversion. */
    private List<String> bundles(List<HasMetadata> chart) {
        String name = Chart.one(chart, ServiceAccount.class).getMetadata().getName();
        return List.of(
                get("validatingwebhookconfiguration/" + name, ".webhooks[0].clientConfig.caBundle"),
                get("mutatingwebhookconfiguration/" + name, ".webhooks[0].clientConfig.caBundle"),
                get("crd/webapps.apps.reconciler4j.io", ".spec.conversion.webhook.clientConfig.caBundle"));
    }

    /** The generation of each object, or its resourceVersion if it has none; controllers write the status of the others. */
    private Map<String, String> versions(List<HasMetadata> chart) {
        Map<String, String> versions = new TreeMap<>();
        for (HasMetadata object : chart) {
            String name =
                    object.getFullResourceName() + "/" + object.getMetadata().getName();
            String generation = get(name, ".metadata.generation");
            versions.put(
                    name, generation.isEmpty() ? get(name, ".metadata.resourceVersion") : "generation " + generation);
        }
        return versions;
    }

    private String get(String object, String path) {
        return kubernetes.kubectl("-n", NAMESPACE, "get", object, "-o", "jsonpath={" + path + "}");
    }
}
