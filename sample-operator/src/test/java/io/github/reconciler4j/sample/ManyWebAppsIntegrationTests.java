package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many objects at once, and an operator that is killed in the middle of them. {@code -Dwebapps=500} sets how many; the nightly
 * profile does.
 */
@RealKubernetesTest
class ManyWebAppsIntegrationTests {

    private static final int COUNT = Integer.getInteger("webapps", 100);

    /** Those that are created after the operator is killed, so that it has not finished, however fast it is. */
    private static final int LATE = COUNT / 10;

    @Test
    void webAppsWhenOperatorIsKilledInTheMiddleConvergeWithNothingDoubled(
            RealKubernetes kubernetes, @TempDir Path folder) throws IOException, InterruptedException {
        String namespace = kubernetes.createNamespace("many");
        InstalledChart chart =
                InstalledChart.install(kubernetes, folder, Map.of("leaderElection", Map.of("enabled", false)));
        String[] settings = {"--reconciler4j.controllers.webapp.max-concurrent-reconciles=8"};
        try (OperatorProcess first = chart.start(settings).awaitReady()) {
            CompletableFuture<Void> creation =
                    CompletableFuture.runAsync(() -> createAll(kubernetes, namespace, 0, COUNT - LATE));
            await("a part of the Deployments is there")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> names(kubernetes, namespace, "deployments").size() > COUNT / 10);
            first.kill();
            creation.join();
        }
        createAll(kubernetes, namespace, COUNT - LATE, COUNT);

        try (OperatorProcess second = chart.start(settings).awaitReady()) {
            await("all are ready")
                    .atMost(Duration.ofMinutes(8))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> ready(kubernetes, namespace) == COUNT);
            assertThat(second.log()).doesNotContain(" ERROR ");
        }

        Set<String> expected =
                IntStream.range(0, COUNT).mapToObj(i -> "app-" + i).collect(Collectors.toSet());
        assertThat(names(kubernetes, namespace, "deployments")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(names(kubernetes, namespace, "services")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(names(kubernetes, namespace, "configmaps"))
                .filteredOn(name -> name.startsWith("app-"))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(names(kubernetes, namespace, "replicasets"))
                .as("no Deployment was rolled twice")
                .hasSize(COUNT);
    }

    private static void createAll(RealKubernetes kubernetes, String namespace, int from, int to) {
        try (ApiConnection connection = ApiConnection.open(kubernetes.config())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            IntStream.range(from, to).parallel().forEach(i -> client.create(webApp(namespace, i)));
        }
    }

    private static WebApp webApp(String namespace, int number) {
        WebApp app = new WebApp();
        app.getMetadata().setNamespace(namespace);
        app.getMetadata().setName("app-" + number);
        app.setSpec(new WebAppSpec());
        app.getSpec().setImage("web:1");
        app.getSpec().setFiles(Map.of("index.html", Integer.toString(number)));
        return app;
    }

    private static int ready(RealKubernetes kubernetes, String namespace) {
        String statuses = kubernetes.kubectl(
                "-n",
                namespace,
                "get",
                "webapps",
                "-o",
                "jsonpath={range .items[*]}{.status.conditions[?(@.type==\"Ready\")].status}{\"\\n\"}{end}");
        return (int) statuses.lines().filter("True"::equals).count();
    }

    private static Set<String> names(RealKubernetes kubernetes, String namespace, String resource) {
        List<String> names = Arrays.asList(kubernetes
                .kubectl("-n", namespace, "get", resource, "-o", "jsonpath={.items[*].metadata.name}")
                .split(" "));
        return names.stream().filter(name -> !name.isEmpty()).collect(Collectors.toCollection(TreeSet::new));
    }
}
