package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a proxy answers, replicas use only borders that the Lease has, and that come from namespaces. */
class NamespaceBordersResponseTests {

    private static final String LEASE = """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
             "metadata": {"namespace": "default", "name": "shop-borders", "resourceVersion": "7"}}
            """;
    private static final String NAMESPACES = """
            {"apiVersion": "v1", "kind": "NamespaceList", "metadata": {},
             "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}
            """;

    private final Server server = new Server();
    private final NamespaceBorders borders = new NamespaceBorders(
            new ShardCoordinator.Settings(
                    server,
                    "default",
                    "me",
                    ShardingOptions.named("shop").withShards(4).withLeaseNamespace("default"),
                    "",
                    OperatorMetrics.NONE),
            CachedShards.of(4, Set.of()));

    /** Stores what is written, unless a test answers otherwise. */
    private static final class Server implements ApiConnection {
        private final List<String> requests = new ArrayList<>();
        private Function<ApiRequest, String> lease = request -> LEASE;
        private Function<ApiRequest, String> namespaces = request -> NAMESPACES;
        private Function<ApiRequest, String> write = Server::body;

        private static String body(ApiRequest request) {
            byte[] body = request.body();
            return body == null ? "" : new String(body, StandardCharsets.UTF_8);
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            requests.add(request.verb());
            Function<ApiRequest, String> answer =
                    request.verb().equals("get") ? lease : request.verb().equals("list") ? namespaces : write;
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

    private void assertUnreadable() {
        assertThatThrownBy(() -> borders.agree(Optional.empty()))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void agreeWhenTheServerAnswersAsExpectedWritesBorders() {
        assertThat(borders.agree(Optional.empty())).hasSize(3);
        assertThat(server.requests).containsExactly("get", "list", "update");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"status\": \"Success\"}",
                "{\"apiVersion\": \"v1\", \"kind\": \"Lease\","
                        + " \"metadata\": {\"namespace\": \"default\", \"name\": \"shop-borders\"}}",
                "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\","
                        + " \"metadata\": {\"namespace\": \"default\", \"name\": \"other\"}}",
                "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\","
                        + " \"metadata\": {\"namespace\": \"other\", \"name\": \"shop-borders\"}}"
            })
    void agreeWhenTheAnswerIsNotTheLeaseFailsWithoutAWrite(String answer) {
        server.lease = request -> answer;
        assertUnreadable();
        assertThat(server.requests).containsExactly("get");

        server.lease = request -> LEASE;
        server.write = request -> answer;
        assertUnreadable();

        server.lease = request -> {
            throw new NotFoundException("none");
        };
        server.requests.clear();
        assertUnreadable();
        assertThat(server.requests).endsWith("create");
    }

    @Test
    void agreeWhenTheLeaseDoesNotHaveTheWrittenBordersFails() {
        server.write = request -> LEASE;
        assertUnreadable();
        server.write = request -> Server.body(request).replaceFirst("borders-of-4\":\"[0-9a-f]+", "borders-of-4\":\"1");
        assertUnreadable();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"items\": []}",
                "{\"apiVersion\": \"v1\", \"kind\": \"NamespaceList\"}",
                "{\"apiVersion\": \"v1\", \"kind\": \"NamespaceList\", \"items\": {}}",
                "{\"apiVersion\": \"v1\", \"kind\": \"NamespaceList\", \"items\": [{}]}",
                "{\"apiVersion\": \"v1\", \"kind\": \"PodList\", \"items\": []}"
            })
    void agreeWhenTheAnswerIsNoListOfNamespacesWritesNoBorders(String answer) {
        server.namespaces = request -> answer;
        assertUnreadable();
        assertThat(server.requests).containsExactly("get", "list");
    }

    @Test
    void reviewWhenTheAnswerIsNoListOfNamespacesFails() {
        server.namespaces = request -> "{}";
        assertThatThrownBy(() -> borders.review(List.of(1L, 2L, 3L))).isInstanceOf(ApiException.class);
        assertThat(server.requests).containsExactly("list");
    }
}
