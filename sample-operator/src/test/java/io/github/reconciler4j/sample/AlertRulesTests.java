package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The alerts as promtool evaluates them: each is silent in calm hours, fires on the series of its fault, alone, and is silent
 * again afterwards. The profile {@code nightly} runs it.
 */
@EnabledIfSystemProperty(
        named = "prometheus",
        matches = "true",
        disabledReason = "needs -Dprometheus=true, which builds Prometheus from Go modules once")
class AlertRulesTests {

    private static final Path RULES =
            Path.of("../observability/alerts.yaml").toAbsolutePath().normalize();
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** The minutes at which a fault starts and ends, and at which its test ends. */
    private static final int FAULT = 120;

    private static final int RECOVERY = 300;
    private static final int END = 420;

    /** The first value of each series of a calm operator and its change per minute. */
    private static final Map<String, double[]> CALM = calm();

    private static Map<String, double[]> calm() {
        Map<String, double[]> calm = new LinkedHashMap<>();
        calm.put("controller_runtime_reconcile_total{controller=\"app\", result=\"success\"}", counter(600));
        calm.put("controller_runtime_reconcile_errors_total{controller=\"app\"}", counter(30));
        calm.put("leader_election_master_status{name=\"lease\", pod=\"a\"}", gauge(1));
        calm.put("leader_election_master_status{name=\"lease\", pod=\"b\"}", gauge(0));
        calm.put("workqueue_queue_duration_seconds_bucket{controller=\"app\", le=\"1\"}", counter(600));
        calm.put("workqueue_queue_duration_seconds_bucket{controller=\"app\", le=\"1000\"}", counter(600));
        calm.put("workqueue_queue_duration_seconds_bucket{controller=\"app\", le=\"+Inf\"}", counter(600));
        calm.put("workqueue_depth{controller=\"app\", priority=\"0\"}", gauge(5));
        calm.put("workqueue_longest_running_processor_seconds{controller=\"app\"}", gauge(20));
        calm.put("workqueue_retries_total{controller=\"app\"}", counter(30));
        calm.put("reconciler4j_cache_synced{kind=\"Pod.v1\"}", gauge(1));
        calm.put("reconciler4j_cache_blocked{kind=\"Pod.v1\"}", gauge(0));
        calm.put("reconciler4j_cache_staleness_seconds{kind=\"Pod.v1\"}", gauge(60));
        calm.put("reconciler4j_cache_undecodable_objects{kind=\"Pod.v1\"}", gauge(0));
        calm.put("reconciler4j_controller_undelivered_objects{controller=\"app\"}", gauge(0));
        calm.put("rest_client_requests_total{code=\"200\", method=\"GET\"}", counter(600));
        calm.put("rest_client_requests_total{code=\"200\", method=\"PATCH\"}", counter(60));
        calm.put("rest_client_requests_total{code=\"409\", method=\"PATCH\"}", counter(3));
        calm.put("rest_client_requests_total{code=\"503\", method=\"GET\"}", counter(3));
        calm.put("rest_client_requests_total{code=\"<error>\", method=\"GET\"}", counter(1));
        calm.put("reconciler4j_cache_pending_writes{kind=\"Pod.v1\"}", gauge(10));
        calm.put("ssl_chain_expiry_seconds{bundle=\"web\", chain=\"tls\"}", gauge(5_000_000));
        calm.put("controller_runtime_webhook_latency_seconds_bucket{webhook=\"/app\", le=\"0.1\"}", counter(60));
        calm.put("controller_runtime_webhook_latency_seconds_bucket{webhook=\"/app\", le=\"10\"}", counter(60));
        calm.put("controller_runtime_webhook_latency_seconds_bucket{webhook=\"/app\", le=\"+Inf\"}", counter(60));
        calm.put("controller_runtime_webhook_requests_total{webhook=\"/app\", code=\"200\"}", counter(60));
        calm.put("controller_runtime_webhook_requests_total{webhook=\"/app\", code=\"500\"}", counter(0));
        return calm;
    }

    private static double[] counter(double perMinute) {
        return new double[] {0, perMinute};
    }

    private static double[] gauge(double value) {
        return new double[] {value, 0};
    }

    /**
     * The series of one fault.
     *
     * @param labels the labels of the alert besides its name, state and severity
     * @param series by the start of a name of {@link #CALM}: the value of a gauge, the change of a counter per minute
     */
    private record Fault(String alert, String labels, Map<String, Double> series) {}

    private static final String APP = "controller=\"app\", namespace=\"ops\"";
    private static final String POD = "kind=\"Pod.v1\", namespace=\"ops\"";
    private static final String LEASE = "name=\"lease\", namespace=\"ops\"";
    private static final String OPS = "namespace=\"ops\"";
    private static final String WEBHOOK = "namespace=\"ops\", webhook=\"/app\"";
    private static final String RECONCILED = "controller_runtime_reconcile_total";
    private static final String ERRORS = "controller_runtime_reconcile_errors_total";
    private static final String REQUESTS = "rest_client_requests_total{code=";

    private static final List<Fault> FAULTS = List.of(
            new Fault("OperatorDown", "", Map.of()),
            fault("OperatorHasNoLeader", LEASE, "leader_election_master_status{name=\"lease\", pod=\"a\"", 0),
            fault("OperatorHasTwoLeaders", LEASE, "leader_election_master_status{name=\"lease\", pod=\"b\"", 1),
            fault("OperatorQueueAge", APP, "workqueue_queue_duration_seconds_bucket{controller=\"app\", le=\"1\"", 0),
            new Fault("OperatorQueueBlocked", APP, Map.of(RECONCILED, 0.0, ERRORS, 0.0)),
            fault("OperatorReconcileStuck", APP, "workqueue_longest_running_processor_seconds", 1000),
            fault("OperatorReconcileErrors", APP, ERRORS, 90),
            fault("OperatorRetryStorm", APP, "workqueue_retries_total", 900),
            fault("OperatorCacheNotSynced", POD, "reconciler4j_cache_synced", 0),
            fault("OperatorCacheBlocked", POD, "reconciler4j_cache_blocked", 1),
            fault("OperatorWatchSilent", POD, "reconciler4j_cache_staleness_seconds", 700),
            fault("OperatorUndecodableObjects", POD, "reconciler4j_cache_undecodable_objects", 1),
            fault("OperatorUndeliveredChanges", APP, "reconciler4j_controller_undelivered_objects", 1),
            fault("OperatorConflicts", OPS, REQUESTS + "\"409\"", 30),
            fault("OperatorApiErrors", OPS, REQUESTS + "\"503\"", 90),
            fault("OperatorApiErrors", OPS, REQUESTS + "\"<error>\"", 90),
            fault("OperatorPendingWrites", POD, "reconciler4j_cache_pending_writes", 2000),
            fault("OperatorCertificateExpires", "bundle=\"web\", namespace=\"ops\"", "ssl_chain_expiry", 500_000),
            fault(
                    "OperatorWebhookSlow",
                    WEBHOOK,
                    "controller_runtime_webhook_latency_seconds_bucket{webhook=\"/app\", le=\"0.1\"",
                    0),
            fault(
                    "OperatorWebhookErrors",
                    WEBHOOK,
                    "controller_runtime_webhook_requests_total{webhook=\"/app\", code=\"500\"",
                    6));

    private static Fault fault(String alert, String labels, String series, double value) {
        return new Fault(alert, labels, Map.of(series, value));
    }

    /** Return the values of a series as promtool reads them. */
    private static String values(Map.Entry<String, double[]> series, Fault fault) {
        double start = series.getValue()[0];
        double step = series.getValue()[1];
        if (fault.series().isEmpty()) {
            String calm = start + "+" + step + "x";
            return calm + (FAULT - 1) + " stale _x" + (RECOVERY - FAULT - 1) + " " + calm + (END - RECOVERY);
        }
        Double changed = fault.series().entrySet().stream()
                .filter(change -> series.getKey().startsWith(change.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        boolean counts = series.getKey().contains("_total{") || series.getKey().contains("_bucket{");
        double faultStep = changed == null || !counts ? step : changed;
        double faultStart = changed == null || counts ? start + FAULT * step : changed;
        double afterStart = counts ? faultStart + (RECOVERY - FAULT) * faultStep : start;
        return "%s+%sx%d %s+%sx%d %s+%sx%d"
                .formatted(
                        start,
                        step,
                        FAULT - 1,
                        faultStart,
                        faultStep,
                        RECOVERY - FAULT - 1,
                        afterStart,
                        step,
                        END - RECOVERY);
    }

    private static Map<String, Object> test(Fault fault, String severity) {
        List<Object> input = new ArrayList<>();
        for (Map.Entry<String, double[]> series : CALM.entrySet()) {
            input.add(Map.of(
                    "series", series.getKey().replace("{", "{namespace=\"ops\", "), "values", values(series, fault)));
        }
        String labels = fault.labels().isEmpty() ? "" : ", " + fault.labels();
        String alert = "ALERTS{alertname=\"%s\", alertstate=\"firing\", severity=\"%s\"%s}"
                .formatted(fault.alert(), severity, labels);
        return Map.of(
                "name",
                fault.alert(),
                "interval",
                "1m",
                "input_series",
                input,
                "promql_expr_test",
                List.of(
                        firing(60, List.of()),
                        firing(FAULT, List.of()),
                        firing(RECOVERY - 1, List.of(Map.of("labels", alert, "value", 1))),
                        firing(END, List.of())));
    }

    private static Map<String, Object> firing(int minute, List<Object> expected) {
        return Map.of("expr", "ALERTS{alertstate=\"firing\"}", "eval_time", minute + "m", "exp_samples", expected);
    }

    private static Map<String, String> severities() throws Exception {
        Map<String, String> severities = new LinkedHashMap<>();
        JsonNode rules = new ObjectMapper().valueToTree(YAML.unmarshal(Files.readString(RULES), Map.class));
        for (JsonNode rule : rules.path("groups").get(0).path("rules")) {
            severities.put(
                    rule.path("alert").asText(),
                    rule.path("labels").path("severity").asText());
        }
        return severities;
    }

    @Test
    void alertWhenItsFaultOccursFiresAloneAndOtherwiseNever(@TempDir Path folder) throws Exception {
        Map<String, String> severities = severities();
        assertThat(FAULTS).extracting(Fault::alert).containsAll(severities.keySet());
        List<Object> tests = new ArrayList<>();
        FAULTS.forEach(fault -> tests.add(test(fault, severities.getOrDefault(fault.alert(), "unknown"))));
        Path file = folder.resolve("tests.yaml");
        Files.writeString(
                file,
                YAML.asYaml(
                        Map.of("rule_files", List.of(RULES.toString()), "evaluation_interval", "1m", "tests", tests)));

        assertThat(Prometheus.promtool("test", "rules", file.toString())).contains("SUCCESS");
    }

    @Test
    void rulesOfTheFileAndOfTheChartAreValid(@TempDir Path folder) throws Exception {
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
