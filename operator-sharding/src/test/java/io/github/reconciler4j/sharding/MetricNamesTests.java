package io.github.reconciler4j.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.ProcessMetrics;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.sharding.Scrape.Metric;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a manager without Spring around it reports on its port, compared with the names that are known elsewhere. */
@Timeout(180)
class MetricNamesTests {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");

    private static final KubernetesServer SERVER = KubernetesServer.start();
    private static Scrape scrape;
    private static Scrape afterStop;

    @BeforeAll
    static void scrape() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new ProcessMetrics().bindTo(registry);
        ManagerOptions options = ManagerOptions.defaults()
                .withMetrics(new MicrometerMetrics(registry))
                .withLeaderElection(LeaderElectionOptions.named("lock").withLeaseNamespace("default"))
                .withExtension(ShardingOptions.named("shop").withLeaseNamespace("default"));
        try (Manager manager = Manager.create(SERVER.clientConfig(), options)) {
            ProbeServer server = ProbeServer.addTo(
                    manager,
                    ProbeServerOptions.defaults().withAddress("127.0.0.1", 0).withMetrics(registry::scrape));
            addController(manager);
            manager.start();
            manager.client().create(configMap());
            Awaitility.await("the object is reconciled")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> registry.scrape()
                            .contains("controller_runtime_reconcile_time_seconds_count{controller=\"configmap\"} 1"));
            scrape = Scrape.of(get("http://127.0.0.1:" + server.port() + "/metrics"));
        }
        afterStop = Scrape.of(registry.scrape());
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static void addController(Manager manager) {
        ControllerBuilder.of(ConfigMap.class)
                .reconciler((map, context) -> Result.done())
                .addTo(manager);
    }

    private static ConfigMap configMap() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("one")
                .endMetadata()
                .build();
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void scrapeHasTheMetricsThatAreKnownFromControllerRuntime() throws IOException {
        Map<String, Metric> known = known();
        assertThat(known).hasSizeGreaterThan(20);
        assertThat(scrape.metrics()).containsAllEntriesOf(known);
    }

    @Test
    void documentNamesAllMetrics() throws IOException {
        Map<String, Metric> documented = documented();
        assertThat(documented.keySet()).containsAll(known().keySet());
        scrape.metrics().forEach((name, metric) -> {
            if (!name.endsWith("_max")) {
                assertThat(documented).containsKey(name);
                assertThat(metric.type())
                        .as(name)
                        .isEqualTo(documented.get(name).type());
                assertThat(metric.labels())
                        .as(name)
                        .isEqualTo(documented.get(name).labels());
            }
        });
    }

    @Test
    void scrapeWhenTheManagerHasStoppedHasNoGaugesOfIt() {
        assertThat(afterStop.metrics().keySet())
                .contains("controller_runtime_reconcile_total")
                .doesNotContain("leader_election_master_status", "workqueue_depth", "reconciler4j_cache_objects");
    }

    @Test
    void documentNamesNoOwnMetricThatIsNotThere() throws IOException {
        assertThat(scrape.metrics().keySet())
                .containsAll(documented().keySet().stream()
                        .filter(name -> name.startsWith("reconciler4j_"))
                        .filter(name -> !name.startsWith("reconciler4j_deletions_")) // of the brake, see BrakeTests
                        .filter(name -> !name.startsWith("reconciler4j_external_")) // see ExternalReportsTests
                        .toList());
    }

    /** The lines of the list: name, type, labels, buckets. */
    private static Map<String, Metric> known() throws IOException {
        try (InputStream list = MetricNamesTests.class.getResourceAsStream("/metrics/controller-runtime.txt")) {
            assertThat(list).isNotNull();
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[0], MetricNamesTests::metric));
        }
    }

    private static Metric metric(String[] words) {
        Set<Double> buckets =
                Arrays.stream(words).skip(3).map(Double::valueOf).collect(Collectors.toCollection(TreeSet::new));
        return new Metric(words[1], labels(words[2]), buckets);
    }

    private static Set<String> labels(String list) {
        return Arrays.stream(list.split(" *, *"))
                .filter(label -> !label.isEmpty() && !label.equals("-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The rows of the document's tables, without buckets. */
    private static Map<String, Metric> documented() throws IOException {
        Map<String, Metric> documented = new TreeMap<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("| `")) {
                String[] cells = line.split("\\|");
                String labels = cells[3].replaceAll("\\([^)]*\\)|;.*", "").strip();
                documented.put(
                        cells[1].replace("`", "").strip(), new Metric(cells[2].strip(), labels(labels), Set.of()));
            }
        }
        return documented;
    }
}
