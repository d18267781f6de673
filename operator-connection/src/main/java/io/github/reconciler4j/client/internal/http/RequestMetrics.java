package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.metrics.OperatorMetrics;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The {@code rest_client_*} measurements under the names and labels of client-go. Thread-safe. */
public final class RequestMetrics {

    private static final double[] SECONDS = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
    private static final double[] BYTES = {64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};

    private final OperatorMetrics metrics;
    private final String host;
    private final Map<String, OperatorMetrics.Counter> requests = new ConcurrentHashMap<>();
    private final Map<String, OperatorMetrics.Histogram> histograms = new ConcurrentHashMap<>();

    public RequestMetrics(OperatorMetrics metrics, String host) {
        this.metrics = metrics;
        this.host = host;
    }

    /** The host label of a server's address. */
    public static String host(String server) {
        return URI.create(server).getAuthority();
    }

    /** Counts a request that ended with this code; no answer is {@code <error>}. */
    public void count(String method, String code) {
        requests.computeIfAbsent(
                        method + " " + code,
                        key -> metrics.counter(
                                "rest_client_requests_total",
                                "Number of HTTP requests, partitioned by status code, method, and host.",
                                "code",
                                code,
                                "method",
                                method,
                                "host",
                                host))
                .increment();
    }

    /** Records how long a request took. */
    public void duration(String method, long nanos) {
        histogram(
                        "rest_client_request_duration_seconds",
                        "Request latency in seconds. Broken down by verb, and host.",
                        SECONDS,
                        method)
                .record(nanos / 1e9);
    }

    /** Records the size of a request's body. */
    public void requestSize(String method, long bytes) {
        histogram(
                        "rest_client_request_size_bytes",
                        "Request size in bytes. Broken down by verb and host.",
                        BYTES,
                        method)
                .record(bytes);
    }

    /** Records the size of an answer's body. */
    public void responseSize(String method, long bytes) {
        histogram(
                        "rest_client_response_size_bytes",
                        "Response size in bytes. Broken down by verb and host.",
                        BYTES,
                        method)
                .record(bytes);
    }

    /** Records how long the client's own limits held a request back. */
    public void limited(String method, long nanos) {
        histogram(
                        "rest_client_rate_limiter_duration_seconds",
                        "Client side rate limiter latency in seconds. Broken down by verb, and host.",
                        SECONDS,
                        method)
                .record(nanos / 1e9);
    }

    /** Counts a request that is sent again because of this code. */
    public void retry(String method, String code) {
        requests.computeIfAbsent(
                        "retry " + method + " " + code,
                        key -> metrics.counter(
                                "rest_client_request_retries_total",
                                "Number of request retries, partitioned by status code, verb, and host.",
                                "code",
                                code,
                                "verb",
                                method,
                                "host",
                                host))
                .increment();
    }

    private OperatorMetrics.Histogram histogram(String name, String help, double[] buckets, String method) {
        return histograms.computeIfAbsent(
                name + " " + method, key -> metrics.histogram(name, help, buckets, "verb", method, "host", host));
    }
}
