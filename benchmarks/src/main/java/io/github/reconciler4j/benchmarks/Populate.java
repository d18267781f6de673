package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fills an API server with {@link SampleObjects}. Arguments: a kubeconfig, a kind of objects, how many, and {@code status} if the
 * definition of the custom resources shall have that subresource. Objects that are there already stay.
 */
final class Populate {

    private static final int THREADS = 24; // the server is busy, and the next request is there already
    private static final String CRD = """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "webapps.apps.example.io"},
             "spec": {"group": "apps.example.io", "scope": "Namespaced",
              "names": {"kind": "WebApp", "plural": "webapps", "singular": "webapp"},
              "versions": [{"name": "v1", "served": true, "storage": true, "subresources": %s, "schema": {"openAPIV3Schema":
                {"type": "object", "properties": {
                  "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                  "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}}
            """;

    private final ApiConnection connection;
    private final ObjectMapper mapper = new ObjectMapper();

    private Populate(ApiConnection connection) {
        this.connection = connection;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ConnectionOptions http = ConnectionOptions.defaults();
        try (ApiConnection connection = ApiConnection.open(Config.fromKubeconfig(new File(arguments[0])), http)) {
            String definition = CRD.formatted(arguments.length > 3 ? "{\"status\": {}}" : "{}");
            new Populate(connection)
                    .fill(definition, SampleObjects.Kind.valueOf(arguments[1]), Integer.parseInt(arguments[2]));
        }
    }

    private void fill(String definition, SampleObjects.Kind kind, int count) throws InterruptedException {
        create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < SampleObjects.NAMESPACES; i++) {
            String namespace = "{\"metadata\":{\"name\":\"team-" + i + "\"}}";
            create("/api/v1/namespaces", namespace.getBytes(StandardCharsets.UTF_8));
        }
        Thread.sleep(2000); // until the definition is served
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> fillFrom(next, kind, count));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void fillFrom(AtomicInteger next, SampleObjects.Kind kind, int count) {
        for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            try {
                ObjectNode object = (ObjectNode) mapper.readTree(new SampleObjects(i).next(kind, i));
                ObjectNode metadata = (ObjectNode) object.get("metadata");
                metadata.remove(List.of("managedFields", "uid", "resourceVersion", "generation", "creationTimestamp"));
                create(path(kind, metadata.get("namespace").asText()), mapper.writeValueAsBytes(object));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static String path(SampleObjects.Kind kind, String namespace) {
        return switch (kind) {
            case CUSTOM -> "/apis/apps.example.io/v1/namespaces/" + namespace + "/webapps";
            case CONFIG_MAP -> "/api/v1/namespaces/" + namespace + "/configmaps";
            case POD -> "/api/v1/namespaces/" + namespace + "/pods";
        };
    }

    private void create(String path, byte[] json) {
        try {
            connection.send(ApiRequest.of("create", "POST", path).withBody(ApiRequest.JSON, json));
        } catch (AlreadyExistsException e) {
            return; // from an earlier run
        }
    }
}
