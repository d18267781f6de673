package io.github.reconciler4j.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTests {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OperatorMetrics metrics = new MicrometerMetrics(registry);

    @Test
    void counterWhenScrapedHasItsNameAndLabels() {
        metrics.counter("controller_runtime_reconcile_total", "Runs", "controller", "web", "result", "success")
                .increment();

        assertThat(registry.scrape())
                .contains("controller_runtime_reconcile_total{controller=\"web\",result=\"success\"} 1.0");
    }

    @Test
    void histogramWhenScrapedHasItsNameAndBuckets() {
        OperatorMetrics.Histogram histogram = metrics.histogram(
                "workqueue_queue_duration_seconds", "Waiting", new double[] {1e-8, 0.1, 1000}, "name", "web");
        histogram.record(0.05);

        assertThat(registry.scrape())
                .contains("workqueue_queue_duration_seconds_bucket{name=\"web\",le=\"1.0E-8\"} 0")
                .contains("workqueue_queue_duration_seconds_bucket{name=\"web\",le=\"0.1\"} 1")
                .contains("workqueue_queue_duration_seconds_count{name=\"web\"} 1")
                .contains("workqueue_queue_duration_seconds_sum{name=\"web\"} 0.05");
    }

    @Test
    void gaugeWhenClosedIsGoneAndCanBeMadeAnew() {
        OperatorMetrics.Registration first = metrics.gauge("workqueue_depth", "Waiting", () -> 3, "name", "web");
        assertThat(registry.scrape()).contains("workqueue_depth{name=\"web\"} 3.0");

        first.close();
        assertThat(registry.scrape()).doesNotContain("workqueue_depth");

        metrics.gauge("workqueue_depth", "Waiting", () -> 4, "name", "web");
        assertThat(registry.scrape()).contains("workqueue_depth{name=\"web\"} 4.0");
    }

    @Test
    void gaugeWhenSecondOfItsKindIsClosedLeavesTheFirst() {
        metrics.gauge("workqueue_depth", "Waiting", () -> 3, "name", "web");
        metrics.gauge("workqueue_depth", "Waiting", () -> 4, "name", "web").close();

        assertThat(registry.scrape()).contains("workqueue_depth{name=\"web\"} 3.0");
    }
}
