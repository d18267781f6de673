package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.NotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** ConfigMaps with one owner, and namespaces full of objects. */
final class ManyObjects {

    private static final String NAMESPACES = "/api/v1/namespaces";

    private final ApiConnection connection;
    private final ObjectMapper mapper = new ObjectMapper();

    ManyObjects(ApiConnection connection) {
        this.connection = connection;
    }

    /** Create an owner and its dependents. */
    void createOwned(String namespace, int count) throws IOException, InterruptedException, ExecutionException {
        JsonNode owner = create(namespace, "configmaps", """
                {"metadata": {"name": "owner"}}
                """);
        String uid = owner.at("/metadata/uid").asText();
        ControllersCluster.forEach(count, i -> create(namespace, "configmaps", """
                {"metadata": {"name": "owned-%d", "labels": {"owned": "true"},
                  "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "%s"}]},
                 "data": {"key": "value"}}
                """.formatted(i, uid)));
    }

    void deleteOwner(String namespace) {
        connection.send(ApiRequest.of("delete", "DELETE", NAMESPACES + "/" + namespace + "/configmaps/owner")
                .withBody(ApiRequest.JSON, bytes("{\"propagationPolicy\": \"Background\"}")));
    }

    /** Whether no dependent is left. */
    boolean isCollected(String namespace) {
        ApiRequest request = ApiRequest.of("list", "GET", NAMESPACES + "/" + namespace + "/configmaps")
                .withQuery(Map.of("labelSelector", List.of("owned=true"), "limit", List.of("1")));
        return json(request).path("items").isEmpty();
    }

    /** Create a namespace with ConfigMaps, Secrets and Services without a selector. */
    void createNamespace(String name, int objects) throws InterruptedException, ExecutionException {
        connection.send(ApiRequest.of("create", "POST", NAMESPACES)
                .withBody(ApiRequest.JSON, bytes("{\"metadata\": {\"name\": \"" + name + "\"}}")));
        ControllersCluster.forEach(objects, i -> {
            switch (i % 5) {
                case 0, 1, 2 -> create(name, "configmaps", "{\"metadata\": {\"name\": \"c" + i + "\"}}");
                case 3 -> create(name, "secrets", "{\"metadata\": {\"name\": \"c" + i + "\"}}");
                default ->
                    create(
                            name,
                            "services",
                            "{\"metadata\": {\"name\": \"c" + i + "\"}, \"spec\": {\"clusterIP\": \"None\"}}");
            }
        });
    }

    void deleteNamespace(String name) {
        connection.send(ApiRequest.of("delete", "DELETE", NAMESPACES + "/" + name));
    }

    /** Whether the namespace does not exist. */
    boolean isGone(String name) {
        try {
            connection.send(ApiRequest.of("get", "GET", NAMESPACES + "/" + name));
            return false;
        } catch (NotFoundException e) {
            return true;
        }
    }

    private JsonNode create(String namespace, String resource, String json) {
        return json(ApiRequest.of("create", "POST", NAMESPACES + "/" + namespace + "/" + resource)
                .withBody(ApiRequest.JSON, bytes(json)));
    }

    private JsonNode json(ApiRequest request) {
        try {
            return mapper.readTree(connection.send(request).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
