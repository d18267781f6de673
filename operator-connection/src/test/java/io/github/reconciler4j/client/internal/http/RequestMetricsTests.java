package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.metrics.OperatorMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class RequestMetricsTests {

    private final List<String> recorded = new ArrayList<>();

    private final OperatorMetrics recorder = new OperatorMetrics() {
        @Override
        public Counter counter(String name, String help, String... labels) {
            recorded.add("new");
            return amount -> recorded.add(name + List.of(labels) + " " + amount);
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            recorded.add("new");
            return value -> recorded.add(name + List.of(labels) + " " + value);
        }

        @Override
        public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
            throw new AssertionError("there are none");
        }
    };

    private final RequestMetrics metrics = new RequestMetrics(recorder, RequestMetrics.host("https://server:6443/x"));

    @Test
    void requestsAreRecordedWithTheNamesAndUnitsOfClientGo() {
        metrics.count("GET", "200");
        metrics.retry("GET", "200");
        metrics.duration("GET", 1_500_000_000);
        metrics.requestSize("PUT", 7);
        metrics.responseSize("PUT", 9);
        metrics.limited("PUT", 2_000_000_000);
        recorded.removeIf("new"::equals);
        assertThat(recorded)
                .containsExactly(
                        "rest_client_requests_total[code, 200, method, GET, host, server:6443] 1.0",
                        "rest_client_request_retries_total[code, 200, verb, GET, host, server:6443] 1.0",
                        "rest_client_request_duration_seconds[verb, GET, host, server:6443] 1.5",
                        "rest_client_request_size_bytes[verb, PUT, host, server:6443] 7.0",
                        "rest_client_response_size_bytes[verb, PUT, host, server:6443] 9.0",
                        "rest_client_rate_limiter_duration_seconds[verb, PUT, host, server:6443] 2.0");
    }

    @Test
    void metersAreCreatedOnce() {
        for (int i = 0; i < 2; i++) {
            metrics.count("GET", "200");
            metrics.duration("GET", 1);
        }
        assertThat(recorded).filteredOn("new"::equals).hasSize(2);
    }
}
