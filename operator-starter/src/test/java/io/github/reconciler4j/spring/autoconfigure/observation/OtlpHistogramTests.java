package io.github.reconciler4j.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histograms as a collector receives them from an OTLP registry with explicit buckets. */
class OtlpHistogramTests {

    private final List<Metric> received = new CopyOnWriteArrayList<>();
    private HttpServer collector;

    @BeforeEach
    void startCollector() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes())
                    .getResourceMetricsList()
                    .forEach(resource ->
                            resource.getScopeMetricsList().forEach(scope -> received.addAll(scope.getMetricsList())));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stopCollector() {
        collector.stop(0);
    }

    private OtlpMeterRegistry registry() {
        String url = "http://localhost:" + collector.getAddress().getPort() + "/v1/metrics";
        return new OtlpMeterRegistry(
                key -> switch (key) {
                    case "otlp.url" -> url;
                    case "otlp.step" -> "1h";
                    case "otlp.baseTimeUnit" -> "seconds"; // milliseconds by default, in spite of the names
                    default -> null;
                },
                new MockClock()); // at the full hour of a real clock, the registry would publish, too
    }

    private HistogramDataPoint point(String name) {
        List<Metric> named = received.stream()
                .filter(metric -> metric.getName().equals(name))
                .toList();
        assertThat(named).as(name).hasSize(1);
        assertThat(named.get(0).hasHistogram()).isTrue();
        return named.get(0).getHistogram().getDataPoints(0);
    }

    @Test
    void histogramsHaveTheirBucketsCountAndSum() {
        OtlpMeterRegistry registry = registry();
        MicrometerMetrics metrics = new MicrometerMetrics(registry);
        Histogram seconds = metrics.histogram("workqueue_work_duration_seconds", "", new double[] {1e-6, 0.1, 1, 10});
        Histogram bytes = metrics.histogram("rest_client_response_size_bytes", "", new double[] {64, 512, 4096});
        for (double value : new double[] {0.05, 0.5, 0.5, 5, 50}) {
            seconds.record(value);
        }
        bytes.record(100);
        bytes.record(5000);
        registry.close(); // publishes

        HistogramDataPoint durations = point("workqueue_work_duration_seconds");
        assertThat(durations.getCount()).isEqualTo(5);
        assertThat(durations.getBucketCountsList()).containsExactly(0L, 1L, 2L, 1L, 1L);
        HistogramDataPoint sizes = point("rest_client_response_size_bytes");
        assertThat(sizes.getExplicitBoundsList()).containsExactly(64.0, 512.0, 4096.0);
        assertThat(sizes.getBucketCountsList()).containsExactly(0L, 1L, 0L, 1L);
        assertThat(sizes.getSum()).isEqualTo(5100);
        String unit = received.stream()
                .filter(metric -> metric.getName().equals("workqueue_work_duration_seconds"))
                .findFirst()
                .orElseThrow()
                .getUnit();
        assertThat(unit).isEqualTo("seconds");
        assertThat(durations.getExplicitBoundsList()).containsExactly(1e-6, 0.1, 1.0, 10.0);
        assertThat(durations.getSum()).isCloseTo(56.05, within(1e-9));
    }
}
