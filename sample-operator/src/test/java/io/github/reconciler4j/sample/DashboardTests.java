package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** The dashboards, the alerts and the console, with the running sample. */
@OperatorTest(
        cluster = {"deployment", "replicaset"},
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoints.web.exposure.include=health,prometheus,reconciler4j,reconciler4jconsole",
            "management.endpoint.reconciler4j.access=unrestricted",
            "reconciler4j.leader-election.enabled=true",
            "reconciler4j.leader-election.namespace=default"
        })
class DashboardTests {

    private static final Path FOLDER = Path.of("../observability");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What exists only after an event, or in an application with webhooks or SSL bundles. */
    private static final Pattern OCCASIONAL =
            Pattern.compile("rest_client_request_retries_total|controller_runtime_webhook_.*|ssl_chain_expiry_seconds");

    /** What Prometheus adds, and what it calls the buckets of a histogram. */
    private static final Set<String> ADDED_LABELS = Set.of("namespace", "pod", "service", "job", "le");

    private static final Set<String> WORDS = Set.of("by", "or", "and", "unless", "without", "on", "vector");
    private static final Pattern STRING = Pattern.compile("\"[^\"]*\"");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern SELECTOR = Pattern.compile("([a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("\\b[a-z][a-z0-9_]*\\b(?! *[(a-z])");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z0-9_]+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"");

    @Autowired
    private TestCluster cluster;

    @Value("${local.server.port}")
    private int port;

    private String get(String path) throws IOException {
        try {
            HttpResponse<String> response = HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Return the labels of each series of the sample when it has done some work. */
    private Map<String, Set<String>> scraped() {
        String namespace = cluster.createNamespace("webapps");
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal(WebApps.yaml("hello", "replicas: 1"), WebApp.class))
                .inNamespace(namespace)
                .create();
        await("the first reconciliation")
                .atMost(Duration.ofSeconds(60))
                .until(() -> get("/actuator/prometheus")
                        .contains("controller_runtime_reconcile_total{controller=\"webapp\",result=\"success\"} "));
        Map<String, Set<String>> series = new HashMap<>();
        await("events and garbage collections").atMost(Duration.ofSeconds(60)).until(() -> {
            System.gc();
            SAMPLE.matcher(get("/actuator/prometheus"))
                    .results()
                    .forEach(sample -> series.computeIfAbsent(sample.group(1), name -> new TreeSet<>())
                            .addAll(labels(sample.group(2))));
            return series.containsKey("jvm_gc_pause_seconds_sum") && series.containsKey("reconciler4j_events_total");
        });
        return series;
    }

    private static Set<String> labels(String text) {
        Set<String> labels = new HashSet<>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(label -> labels.add(label.group(1)));
        }
        return labels;
    }

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        try (Stream<Path> dashboards = Files.list(FOLDER.resolve("dashboards"))) {
            for (Path dashboard : dashboards.sorted().toList()) {
                JSON.readTree(dashboard.toFile()).findValues("expr").forEach(expr -> queries.add(expr.asText()));
            }
        }
        rules("alerts.yaml").findValues("expr").forEach(expr -> queries.add(expr.asText()));
        return queries;
    }

    private static JsonNode rules(String file) throws IOException {
        return JSON.valueToTree(
                new KubernetesSerialization().unmarshal(Files.readString(FOLDER.resolve(file)), Map.class));
    }

    @Test
    void queriesUseMetricsAndLabelsThatTheSampleReports() throws IOException {
        Map<String, Set<String>> series = scraped();
        Set<String> wrong = new TreeSet<>();
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(60);
        for (String query : queries) {
            String expression = STRING.matcher(query).replaceAll("");
            Set<String> used = new HashSet<>();
            GROUPING.matcher(expression)
                    .results()
                    .forEach(by -> used.addAll(List.of(by.group(1).split(" *, *"))));
            String bare = GROUPING.matcher(expression).replaceAll("").replaceAll("\\[[^]]*]", "");
            Matcher selectors = SELECTOR.matcher(bare);
            selectors
                    .results()
                    .forEach(each -> Stream.of(each.group(2).split(" *, *"))
                            .map(label -> label.replaceAll("[=!~].*", ""))
                            .filter(label -> !label.isEmpty())
                            .forEach(used::add));
            Set<String> metrics = NAME.matcher(bare.replaceAll("\\{[^}]*}", " "))
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !WORDS.contains(name))
                    .collect(Collectors.toSet());
            assertThat(metrics).as(query).isNotEmpty();
            check(query, metrics, used, series, wrong);
        }
        assertThat(wrong).isEmpty();
    }

    private static void check(
            String query, Set<String> metrics, Set<String> used, Map<String, Set<String>> series, Set<String> wrong) {
        Set<String> known = new HashSet<>(ADDED_LABELS);
        for (String metric : metrics) {
            if (OCCASIONAL.matcher(metric.replaceAll("_bucket$", "")).matches()) {
                return;
            }
            if (!series.containsKey(metric)) {
                wrong.add("no metric " + metric + " for " + query);
            }
            known.addAll(series.getOrDefault(metric, Set.of()));
        }
        used.stream()
                .filter(label -> !known.contains(label))
                .forEach(label -> wrong.add("no label " + label + " for " + query));
    }

    @Test
    void alertsOfTheChartAndForPrometheusAreTheSame() throws IOException {
        List<String> plain = rules("alerts.yaml").findValuesAsText("alert");
        assertThat(plain).hasSize(20).doesNotHaveDuplicates();
        assertThat(rules("prometheusrule.yaml").findValues("rules"))
                .isEqualTo(rules("alerts.yaml").findValues("rules"));
        String chart = Files.readString(Path.of("../charts/sample-operator/templates/prometheusrule.yaml"))
                .replaceAll("namespace=\\{\\{ .Release.Namespace \\| quote }}, service=\"[^\"]*\"[^\"]*\"[^\"]*\"", "");
        List<String> expressions = Pattern.compile("(?m)^ +expr: (.*)$")
                .matcher(chart)
                .results()
                .map(found -> found.group(1).replace("{}", "").replace(", }", "}"))
                .toList();
        assertThat(expressions).isEqualTo(rules("alerts.yaml").findValuesAsText("expr"));
    }

    @Test
    void consoleWhenRequestedIsAPageWithItsScriptAndStyle() throws IOException {
        String page = get("/actuator/reconciler4jconsole");
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("default-src 'none'", "data-writable=\"true\"")
                .doesNotContain("{{", "onclick", "style=", "https://");
        assertThat(get("/actuator/reconciler4jconsole/api.js")).contains("fetch(");
        assertThat(get("/actuator/reconciler4jconsole/dom.js")).contains("textContent");
        assertThat(get("/actuator/reconciler4jconsole/theme.css")).contains("prefers-color-scheme: dark");
        JsonNode operator = JSON.readTree(get("/actuator/reconciler4j"));
        assertThat(operator.path("controllers").get(0).path("name").asText()).isEqualTo("webapp");
        assertThat(JSON.readTree(get("/actuator/reconciler4j/webapp/default/never"))
                        .path("runs"))
                .isEmpty();
    }

    /** A program {@code kubectl} that knows one Deployment and forwards the port of the sample to itself. */
    private Path kubectl(Path folder) throws IOException {
        Path program = folder.resolve("kubectl");
        Files.writeString(program, """
                #!/usr/bin/env bash
                if [[ $1 == get ]]; then echo deployment.apps/sample; exit; fi
                echo "Forwarding from 127.0.0.1:%d -> 8081"
                exec sleep 60
                """.formatted(port));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return folder;
    }

    private String plugin(Path folder, String... arguments) throws IOException, InterruptedException {
        return run(kubectl(folder), arguments);
    }

    private static String run(Path path, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(FOLDER.resolve("kubectl-reconciler4j").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", path.toString(), (before, added) -> added + ":" + before);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void pluginShowsAndOperatesTheOperator(@TempDir Path folder) throws Exception {
        assertThat(plugin(folder, "-o", "json", "status")).contains("\"name\":\"webapp\"");
        assertThat(plugin(folder, "status")).contains("webapp", "WebApp.v1");
        assertThat(plugin(folder, "pause", "webapp")).contains("paused");
        assertThat(plugin(folder, "-o", "json", "status")).contains("\"paused\":true");
        assertThat(plugin(folder, "resume", "webapp")).contains("resumed");
        assertThat(plugin(folder, "requeue", "webapp", "default/none")).contains("enqueued");
        await("the run")
                .atMost(Duration.ofSeconds(60))
                .until(() -> plugin(folder, "why", "webapp", "default/none").contains("success"));
    }

    @Test
    void pluginWithAnAddressNeedsNoPortForwarding(@TempDir Path folder) throws Exception {
        Path noKubectl = Files.createDirectory(folder.resolve("bin"));
        Files.writeString(noKubectl.resolve("kubectl"), "#!/bin/sh\necho unexpected >&2\nexit 1\n");
        assertThat(noKubectl.resolve("kubectl").toFile().setExecutable(true)).isTrue();
        String url = "http://127.0.0.1:" + port + "/";
        assertThat(run(noKubectl, "--url", url, "status")).contains("webapp", "WebApp.v1");
        assertThat(run(noKubectl, "--url", url, "console"))
                .isEqualTo("http://127.0.0.1:" + port + "/actuator/reconciler4jconsole\n");
    }
}
