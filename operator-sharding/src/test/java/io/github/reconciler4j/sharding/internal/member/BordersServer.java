package io.github.reconciler4j.sharding.internal.member;

import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A server with a Lease of borders and two namespaces. It accepts every write and keeps none, unless a test answers otherwise. */
final class BordersServer implements ApiConnection {

    static final ShardingOptions SHARDING = ShardingOptions.named("shop")
            .withShards(4)
            .withLeaseNamespace("default")
            .withIdentity("me")
            .withTiming(LeaseTiming.of(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(200)));
    static final String LEASE = """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
             "metadata": {"namespace": "default", "name": "shop-borders", "resourceVersion": "7"}}
            """;
    private static final String NAMESPACES = """
            {"apiVersion": "v1", "kind": "NamespaceList", "metadata": {"continue": "NEXT"},
             "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}
            """;

    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile Function<ApiRequest, String> lease = request -> LEASE;
    volatile Function<ApiRequest, String> namespaces = request -> page("");
    volatile Function<ApiRequest, String> write = BordersServer::body;

    /** A list of namespaces that continues with this token. */
    static String page(String next) {
        return NAMESPACES.replace("NEXT", next);
    }

    static String body(ApiRequest request) {
        byte[] body = request.body();
        return body == null ? "" : new String(body, StandardCharsets.UTF_8);
    }

    ShardCoordinator.Settings settings() {
        return new ShardCoordinator.Settings(this, "default", "me", SHARDING, "", OperatorMetrics.NONE);
    }

    NamespaceBorders borders(String... names) {
        return new NamespaceBorders(settings(), Partition.of(4, Set.of()), Set.of(names));
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        requests.add(request.verb());
        Function<ApiRequest, String> answer = switch (request.verb()) {
            case "get" -> lease;
            case "list" -> namespaces;
            default -> write;
        };
        return new ApiResponse(200, answer.apply(request).getBytes(StandardCharsets.UTF_8), List.of());
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String server() {
        return "https://server.invalid";
    }

    @Override
    public void close() {}
}
