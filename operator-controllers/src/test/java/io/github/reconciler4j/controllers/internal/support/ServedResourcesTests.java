package io.github.reconciler4j.controllers.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedResourcesTests {

    private static final KindInfo CONFIG_MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);

    private static ServedResources request(Map<String, String> documents) {
        return ServedResources.request(new ApiConnection() {
            @Override
            public String server() {
                return "http://localhost";
            }

            @Override
            public ApiResponse send(ApiRequest request) {
                String document = documents.get(request.path());
                if (document == null) {
                    throw new ApiException("503 of " + request.path(), ErrorDetails.of(503, ""));
                }
                return new ApiResponse(200, document.replace('\'', '"').getBytes(StandardCharsets.UTF_8), List.of());
            }

            @Override
            public ApiStream stream(ApiRequest request) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        });
    }

    @Test
    void requestWhenTheServerIsCurrentFindsAllResources() {
        try (KubernetesServer server = KubernetesServer.builder().https(false).start();
                ApiConnection connection = ApiConnection.open(server.clientConfig())) {
            ServedResources served = ServedResources.request(connection);

            assertThat(served.failures()).isEmpty();
            assertThat(served.failureText()).isEmpty();
            assertThat(served.supporting(List.of("delete", "list", "watch")))
                    .extracting(ServedResources.Resource::kind)
                    .contains(
                            CONFIG_MAPS,
                            new KindInfo(KindName.of("apps/v1", "Deployment"), "deployments", true),
                            new KindInfo(KindName.of("v1", "Namespace"), "namespaces", false))
                    .noneMatch(kind -> kind.plural().contains("/"));
        }
    }

    @Test
    void requestWhenAGroupHasSeveralVersionsTakesThePreferredOneAndThenTheFirst() {
        String empty = "{'kind': 'APIGroupDiscoveryList', 'items': []}";
        String groups = """
                {'kind': 'APIGroupDiscoveryList', 'items': [{'metadata': {'name': 'example.com'}, 'versions': [
                  {'version': 'v2', 'freshness': 'Current', 'resources': [
                    {'resource': 'as', 'responseKind': {'kind': 'A'}, 'scope': 'Namespaced', 'verbs': ['list']}]},
                  {'version': 'v1', 'freshness': 'Stale', 'resources': [
                    {'resource': 'as', 'responseKind': {'kind': 'A'}, 'scope': 'Namespaced', 'verbs': ['list']},
                    {'resource': 'bs', 'responseKind': {'kind': 'B'}, 'scope': 'Cluster', 'verbs': ['list']}]}]}]}
                """;

        ServedResources served = request(Map.of("/api", empty, "/apis", groups));

        assertThat(served.resources())
                .extracting(ServedResources.Resource::kind)
                .containsExactly(
                        new KindInfo(KindName.of("example.com/v2", "A"), "as", true),
                        new KindInfo(KindName.of("example.com/v1", "B"), "bs", false));
        assertThat(served.failureText())
                .isEqualTo("unable to retrieve the complete list of server APIs: example.com/v1: stale GroupVersion"
                        + " discovery: example.com/v1");
    }

    @Test
    void requestWhenTheServerIsOldReadsEachVersionAndReportsThoseThatFail() {
        ServedResources served = request(Map.of(
                "/api",
                "{'kind': 'APIVersions', 'versions': ['v1']}",
                "/apis",
                "{'kind': 'APIGroupList', 'groups': [{'name': 'away.example.com', 'preferredVersion': {'version': 'v1'},"
                        + " 'versions': [{'version': 'v1'}]}]}",
                "/api/v1",
                "{'kind': 'APIResourceList', 'resources': [{'name': 'configmaps', 'kind': 'ConfigMap', 'namespaced':"
                        + " true, 'verbs': ['delete']}, {'name': 'pods/log', 'kind': 'Pod', 'namespaced': true,"
                        + " 'verbs': ['get']}]}"));

        assertThat(served.supporting(List.of("delete")))
                .extracting(ServedResources.Resource::kind)
                .containsExactly(CONFIG_MAPS);
        assertThat(served.failures()).containsOnlyKeys("away.example.com/v1");
    }
}
