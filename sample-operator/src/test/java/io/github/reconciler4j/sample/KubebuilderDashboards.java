package io.github.reconciler4j.sample;

import java.util.ArrayList;
import java.util.List;

/**
 * The queries of the two dashboards that Kubebuilder 4 writes into a project ({@code grafana/controller-runtime-metrics.json} and
 * {@code grafana/controller-resources-metrics.json} of its plugin {@code grafana.kubebuilder.io/v1-alpha}), and the forms in which
 * it queries a counter, a gauge and a histogram of {@code grafana/custom-metrics}. The lists say which metrics the panels use with
 * which function and grouping.
 */
final class KubebuilderDashboards {

    /** What the user selects at the top of the dashboards. */
    private static final String SELECTED = "{job=\"operators\", namespace=\"calm\"}";

    private static final List<String> PLAIN = List.of("controller_runtime_active_workers", "workqueue_depth");

    private static final List<String> RATES_BY_POD =
            List.of("controller_runtime_reconcile_total", "controller_runtime_reconcile_errors_total");

    private static final List<String> RATES_BY_NAME = List.of("workqueue_adds_total", "workqueue_retries_total");

    private static final List<String> QUANTILES_BY_NAME =
            List.of("workqueue_queue_duration_seconds", "workqueue_work_duration_seconds");

    private KubebuilderDashboards() {}

    static List<String> queries() {
        List<String> queries = new ArrayList<>();
        PLAIN.forEach(metric -> queries.add(metric + SELECTED));
        queries.add("rate(workqueue_unfinished_work_seconds" + SELECTED + "[5m])");
        RATES_BY_POD.forEach(metric -> queries.add("sum(" + rate(metric) + ") by (instance, pod)"));
        RATES_BY_NAME.forEach(metric -> queries.add("sum(" + rate(metric) + ") by (instance, name)"));
        for (String metric : QUANTILES_BY_NAME) {
            for (String quantile : List.of("0.50", "0.90", "0.99")) {
                queries.add(quantile(quantile, metric, "instance, name, le"));
            }
        }
        String pod = SELECTED.replace("}", ", pod=\"calm-0\"}");
        queries.add("rate(process_cpu_seconds_total" + pod + "[5m]) * 100");
        queries.add("process_resident_memory_bytes" + pod);
        queries.addAll(custom());
        return queries;
    }

    /** Return a counter, a gauge and a histogram of this framework as the dashboard of custom metrics queries them. */
    private static List<String> custom() {
        return List.of(
                "sum(" + rate("reconciler4j_cache_changes_total") + ") by (instance, pod)",
                "reconciler4j_cache_objects" + SELECTED,
                quantile("0.90", "rest_client_request_duration_seconds", "instance, le"));
    }

    private static String rate(String metric) {
        return "rate(" + metric + SELECTED + "[5m])";
    }

    private static String quantile(String quantile, String metric, String grouping) {
        return "histogram_quantile(" + quantile + ", sum(" + rate(metric + "_bucket") + ") by (" + grouping + "))";
    }
}
