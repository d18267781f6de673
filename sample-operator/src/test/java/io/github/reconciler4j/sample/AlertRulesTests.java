package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each alert with a running operator: it is silent in two calm hours, fires on its fault, alone, and is silent again afterwards. The
 * operator is scraped once a minute of its own clock, and promtool evaluates the rules on the scrapes. Without promtool, which
 * the profile {@code nightly} builds, each fault lasts for a minute, and the scrapes must have the metrics of the rules.
 */
@Timeout(1800)
class AlertRulesTests {

    /** A part of the names of the faults to inject. */
    private static final String ONLY = System.getProperty("alerts.only", "");

    private static final boolean EVALUATED = Boolean.getBoolean("prometheus");
    private static final Path RULES =
            Path.of("../observability/alerts.yaml").toAbsolutePath().normalize();
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Pattern METRIC = Pattern.compile("\\b[a-z0-9]+(?:_[a-z0-9]+)+\\b(?!\\()");

    /** The minutes before a fault, of which the rules see ten, and those after which all alerts must be silent again. */
    private static final int BEFORE = 15;

    private static final int AFTER = 20;
    private static final int HOUR = 60;

    @TempDir
    private Path folder;

    private final List<Object> tests = new ArrayList<>();

    private static JsonNode rules() throws IOException {
        JsonNode file = new ObjectMapper().valueToTree(YAML.unmarshal(Files.readString(RULES), Map.class));
        return file.path("groups").get(0).path("rules");
    }

    /** The metrics of each alert. */
    private static Map<String, Set<String>> metrics() throws IOException {
        Map<String, Set<String>> metrics = new LinkedHashMap<>();
        for (JsonNode rule : rules()) {
            String expression = rule.path("expr").asText().replaceAll("\"[^\"]*\"", "");
            metrics.put(
                    rule.path("alert").asText(),
                    METRIC.matcher(expression).results().map(MatchResult::group).collect(Collectors.toSet()));
        }
        return metrics;
    }

    private static int minutes(int minutes) {
        return EVALUATED ? minutes : 1;
    }

    /** A check of the alerts that fire or, with a range, have fired. */
    private static Map<String, Object> firing(String range, int minute, List<String> expected) {
        String alerts = "ALERTS{alertstate=\"firing\"}";
        String fired = range.isEmpty() ? alerts : "max_over_time(" + alerts + "[" + range + "])";
        return Map.of(
                "expr",
                "group by (alertname, bundle, controller, kind, name, webhook) (" + fired + ")",
                "eval_time",
                minute + "m",
                "exp_samples",
                expected.stream()
                        .map(alert -> Map.of("labels", labels(alert), "value", 1))
                        .toList());
    }

    /** The labels of an alert such as {@code OperatorDown} or <code>OperatorQueueAge{controller="app"}</code>. */
    private static String labels(String alert) {
        String[] parts = alert.split("[{}]");
        return "{alertname=\"" + parts[0] + "\"" + (parts.length == 1 ? "" : ", " + parts[1]) + "}";
    }

    private void addTest(String name, ScrapeRecording recording, List<Object> checks) {
        tests.add(
                Map.of("name", name, "interval", "1m", "input_series", recording.input(), "promql_expr_test", checks));
    }

    private ScrapeRecording record(AlertStage stage, Set<String> metrics) {
        return stage.record(new ScrapeRecording(metrics::contains));
    }

    private void recordCalmHours(AlertStage stage, Set<String> metrics) {
        ScrapeRecording calm = record(stage, metrics);
        stage.idle(minutes(HOUR));
        stage.work(minutes(HOUR));
        addTest("two calm hours", calm, List.of(firing("3h", calm.minutes() - 1, List.of())));
    }

    private ScrapeRecording recordFault(AlertStage stage, Set<String> metrics, AlertFault fault) throws Exception {
        ScrapeRecording recording = record(stage, metrics);
        stage.work(minutes(BEFORE));
        int start = recording.minutes();
        stage.suffer(fault, minutes(fault.minutes()));
        int end = recording.minutes();
        stage.work(minutes(AFTER));
        addTest(
                fault.name(),
                recording,
                List.of(
                        firing("1h", start - 1, List.of()),
                        firing("", end - 1, fault.fires()),
                        firing("", recording.minutes() - 1, List.of())));
        return recording;
    }

    @Test
    void alertWhenItsFaultOccursFiresAloneAndOtherwiseNever() throws Exception {
        Map<String, Set<String>> metrics = metrics();
        Set<String> all = metrics.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        Set<String> fired = new TreeSet<>();
        try (AlertStage stage = new AlertStage(folder)) {
            stage.work(1);
            recordCalmHours(stage, all);
            for (AlertFault fault : AlertFaults.all()) {
                if (!fault.name().contains(ONLY)) {
                    continue;
                }
                ScrapeRecording recording = recordFault(stage, all, fault);
                for (String alert : fault.fires()) {
                    String name = alert.replaceAll("\\{.*", "");
                    fired.add(name);
                    assertThat(recording.names()).as(fault.name()).containsAll(metrics.get(name));
                }
            }
        }
        if (ONLY.isEmpty()) {
            assertThat(fired).isEqualTo(new TreeSet<>(metrics.keySet())).hasSize(20);
        }
        if (EVALUATED) {
            evaluate();
        }
    }

    private void evaluate() throws Exception {
        Path file = folder.resolve("tests.yaml");
        Files.writeString(
                file,
                YAML.asYaml(
                        Map.of("rule_files", List.of(RULES.toString()), "evaluation_interval", "1m", "tests", tests)));

        assertThat(Prometheus.promtool("test", "rules", file.toString())).contains("SUCCESS");
    }

    @Test
    @EnabledIfSystemProperty(
            named = "prometheus",
            matches = "true",
            disabledReason = "needs -Dprometheus=true, which builds Prometheus from Go modules once")
    void rulesOfTheFileAndOfTheChartAreValid() throws Exception {
        assertThat(Prometheus.promtool("check", "rules", RULES.toString())).contains("19 rules found");
        GenericKubernetesResource rendered = (GenericKubernetesResource)
                Chart.render(Map.of("metrics", Map.of("prometheusRule", Map.of("enabled", true)))).stream()
                        .filter(object -> object.getKind().equals("PrometheusRule"))
                        .findFirst()
                        .orElseThrow();
        Path file = folder.resolve("chart.yaml");
        Files.writeString(file, YAML.asYaml(rendered.getAdditionalProperties().get("spec")));
        assertThat(Prometheus.promtool("check", "rules", file.toString())).contains("19 rules found");
    }
}
