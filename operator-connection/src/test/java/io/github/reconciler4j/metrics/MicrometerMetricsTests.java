package io.github.reconciler4j.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class MicrometerMetricsTests {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

    private String scrape() {
        return registry.scrape();
    }

    @Test
    void counterWhenNamedLikePrometheusKeepsItsName() {
        metrics.counter("controller_runtime_reconcile_total", "Help.", "controller", "webapp", "result", "success")
                .add(3);
        assertThat(scrape())
                .contains("# HELP controller_runtime_reconcile_total Help.")
                .contains("# TYPE controller_runtime_reconcile_total counter")
                .contains("controller_runtime_reconcile_total{controller=\"webapp\",result=\"success\"} 3.0");
    }

    @Test
    void counterWhenAskedForTwiceIsOneCounter() {
        metrics.counter("events_total", "Help.", "a", "b").increment();
        metrics.counter("events_total", "Help.", "a", "b").increment();
        assertThat(scrape()).contains("events_total{a=\"b\"} 2.0");
    }

    @Test
    void histogramWhenGivenBucketsHasJustThese() {
        metrics.histogram("workqueue_queue_duration_seconds", "Help.", new double[] {1e-8, 0.1, 10}, "name", "q")
                .record(0.05);
        assertThat(scrape().lines().filter(line -> line.startsWith("workqueue_queue_duration_seconds")))
                .containsExactlyInAnyOrder(
                        "workqueue_queue_duration_seconds_bucket{name=\"q\",le=\"1.0E-8\"} 0",
                        "workqueue_queue_duration_seconds_bucket{name=\"q\",le=\"0.1\"} 1",
                        "workqueue_queue_duration_seconds_bucket{name=\"q\",le=\"10.0\"} 1",
                        "workqueue_queue_duration_seconds_bucket{name=\"q\",le=\"+Inf\"} 1",
                        "workqueue_queue_duration_seconds_count{name=\"q\"} 1",
                        "workqueue_queue_duration_seconds_sum{name=\"q\"} 0.05",
                        "workqueue_queue_duration_seconds_max{name=\"q\"} 0.05");
    }

    @Test
    void histogramWhenOfBytesHasJustItsBuckets() {
        metrics.histogram("rest_client_request_size_bytes", "Help.", new double[] {64, 256}, "verb", "get")
                .record(100);
        assertThat(scrape())
                .contains("rest_client_request_size_bytes_bucket{verb=\"get\",le=\"64.0\"} 0")
                .contains("rest_client_request_size_bytes_bucket{verb=\"get\",le=\"256.0\"} 1")
                .contains("rest_client_request_size_bytes_count{verb=\"get\"} 1");
    }

    @Test
    void histogramWhenRegistryNamesBucketsWithSixDecimalsHasOneGaugePerBucketAndNoWarning() {
        Logger log = (Logger) LoggerFactory.getLogger("io.micrometer");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        try {
            new MicrometerMetrics(simple)
                    .histogram(
                            "workqueue_queue_duration_seconds", "Help.", new double[] {1e-8, 1e-7, 1e-6, 1}, "a", "b")
                    .record(0.5);
        } finally {
            log.detachAppender(lines);
        }

        assertThat(lines.list).isEmpty();
        assertThat(simple.find("workqueue_queue_duration_seconds.histogram").gauges())
                .extracting(gauge -> gauge.getId().getTag("le"))
                .containsExactlyInAnyOrder("0.000001", "1");
    }

    @Test
    void histogramWhenPrometheusIsOneOfSeveralRegistriesHasAllBuckets() {
        CompositeMeterRegistry several = new CompositeMeterRegistry();
        several.add(registry);
        new MicrometerMetrics(several)
                .histogram("workqueue_queue_duration_seconds", "Help.", new double[] {1e-8}, "a", "b")
                .record(0.5);
        assertThat(scrape()).contains("le=\"1.0E-8\"");
    }

    @Test
    void gaugeWhenRegisteredAgainReportsTheLatestAndIsRemovedWithTheLast() {
        Registration first = metrics.gauge("workqueue_depth", "Help.", () -> 1, "name", "q");
        Registration second = metrics.gauge("workqueue_depth", "Help.", () -> 2, "name", "q");
        assertThat(scrape()).contains("workqueue_depth{name=\"q\"} 2.0");
        first.close();
        assertThat(scrape()).contains("workqueue_depth{name=\"q\"} 2.0");
        metrics.gauge("workqueue_depth", "Help.", () -> 9, "name", "q").close();
        assertThat(scrape()).contains("workqueue_depth{name=\"q\"} 2.0");
        second.close();
        second.close();
        assertThat(scrape()).doesNotContain("workqueue_depth");
        metrics.gauge("workqueue_depth", "Help.", () -> 3, "name", "q");
        assertThat(scrape()).contains("workqueue_depth{name=\"q\"} 3.0");
    }

    @Test
    void gaugeWhenOnlyTheRegistryHoldsTheSupplierIsStillReported() {
        metrics.gauge("kept", "Help.", new Object()::hashCode);
        System.gc();
        assertThat(scrape()).containsPattern("kept \\d").doesNotContain("kept NaN");
    }

    @Test
    void gaugeWhenLabelIsEmptyKeepsIt() {
        metrics.gauge("workqueue_depth", "Help.", () -> 1, "name", "q", "priority", "");
        assertThat(scrape()).contains("workqueue_depth{name=\"q\",priority=\"\"} 1.0");
    }

    @Test
    void counterWhenLabelsDoNotFitEarlierOnesDoesNotThrow() {
        metrics.counter("clash_total", "Help.", "a", "b").increment();
        metrics.counter("clash_total", "Help.", "other", "b").increment();
        metrics.counter("odd_total", "Help.", "label without value").increment();
        assertThat(scrape()).contains("clash_total{a=\"b\"} 1.0").doesNotContain("odd_total");
    }

    /** Names of clusters, controllers and webhooks become labels. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a\nb_total 1",
                "a\r\nb",
                "\"} 1",
                "\\",
                "\\\"",
                "{{x}}",
                "a/b",
                "\ud83d\ude00",
                "\u0000",
                "\u0085\u2028",
                "# HELP x"
            })
    void scrapeWhenALabelIsHostileHasOneLineForIt(String text) {
        metrics.counter("hostile_total", "Help", "label", text).increment();
        metrics.gauge("hostile_depth", "Help", () -> 1, "label", text);

        assertThat(registry.scrape().split("\n"))
                .filteredOn(line -> !line.startsWith("#"))
                .hasSize(2)
                .allMatch(line -> line.matches("hostile_[a-z]+\\{label=\"(?:[^\"\\\\]|\\\\[\"\\\\n])*\"\\} 1\\.0"));
    }
}
