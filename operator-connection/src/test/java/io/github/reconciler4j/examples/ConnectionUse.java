package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a connection without a client looks like. */
final class ConnectionUse {

    private ConnectionUse() {}

    static Config file() {
        return Kubeconfig.ofFile(Path.of("/etc/fleet/east.yaml"))
                .withContext("admin")
                .read();
    }

    static String version() throws InterruptedException {
        Config config = Kubeconfig.ofEnvironment().read();
        try (ApiConnection connection = ApiConnection.open(config)) {
            connection.awaitServer(Duration.ofMinutes(1));
            ApiResponse response = connection.send(ApiRequest.of("get", "GET", "/version"));
            return new String(response.body(), StandardCharsets.UTF_8);
        }
    }

    static ApiConnection named(Config config, OperatorMetrics metrics) {
        return ApiConnection.open(
                config,
                ConnectionOptions.defaults().withUserAgent("shop-operator/1.4").withMetrics(metrics));
    }

    static ApiRequest tail(String pod) {
        return ApiRequest.of("get", "GET", "/api/v1/namespaces/shop/pods/" + pod + "/log")
                .withQuery(Map.of("follow", List.of("true"), "tailLines", List.of("10")))
                .withTimeout(Duration.ofSeconds(10));
    }

    static void follow(ApiConnection connection, ApiRequest request, Consumer<String> log) throws IOException {
        try (ApiStream stream = connection.stream(request);
                var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            stream.idleTimeout(Duration.ofMinutes(5));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.accept(line);
            }
        }
    }

    static ApiException busy() {
        ErrorDetails details = ErrorDetails.of(429, "TooManyRequests").withRetryAfter(Duration.ofSeconds(2));
        return new TooManyRequestsException("The server is busy", details);
    }
}
