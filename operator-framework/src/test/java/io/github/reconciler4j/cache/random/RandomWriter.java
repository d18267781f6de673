package io.github.reconciler4j.cache.random;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Writes at random: creations, changes, deletions with and without finalizers, of few objects, so that they collide. */
final class RandomWriter {

    private static final String[] APPS = {"x", "y", "z"};
    private static final String NAMESPACE = "/api/v1/namespaces/";
    private static final String MERGE = "application/merge-patch+json";
    private static final Set<String> REFUSALS = Set.of("NotFound", "AlreadyExists", "Conflict");
    private static final String RELEASE = "{\"metadata\":{\"finalizers\":null}}";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final ApiConnection connection;
    private final RandomKind kind;
    private final Random random;
    private final Written written;
    private final List<String> requests = new ArrayList<>();
    private int count;

    /** Receives the answers. */
    interface Written {
        void object(byte[] json);

        void removed(ObjectKey key, String uid);

        /** Return the number of writes that the server has carried out. */
        int place();

        /** Receive a refusal that shows that the object was not as assumed, at some time after the given place. */
        void refused(ObjectKey key, int place);
    }

    RandomWriter(ApiConnection connection, RandomKind kind, Random random, Written written) {
        this.connection = connection;
        this.kind = kind;
        this.random = random;
        this.written = written;
    }

    /** The writes that it has tried, in order. */
    List<String> requests() {
        return requests;
    }

    /** Tries one write; that it may fail is part of the game. */
    void next() {
        String namespace = any(RandomPlaces.NAMESPACES.toArray(String[]::new));
        String name = any(RandomSelection.NAMES.toArray(String[]::new));
        count++;
        int place = written.place();
        boolean ofNamespace = false;
        try {
            switch (random.nextInt(11)) {
                case 0, 1, 2 -> create(namespace, name);
                case 3, 4, 5 -> patch(namespace, name, "\"" + kind.content + "\":{\"value\":\"" + value() + "\"}");
                case 6 -> patch(namespace, name, "\"metadata\":{\"labels\":" + label() + "}");
                case 7 -> patch(namespace, name, "\"metadata\":{\"finalizers\":null}");
                case 8 -> {
                    ofNamespace = true;
                    writeNamespace(namespace);
                }
                default -> delete(namespace, name);
            }
        } catch (ApiException e) {
            if (!ofNamespace && REFUSALS.contains(e.reason())) {
                written.refused(ObjectKey.of(namespace, name), place);
            } // otherwise the connection was cut, and whether the write was carried out is in the server's history
        }
    }

    /** Takes the finalizers of all objects away, as far as that works. */
    static void releaseAll(ApiConnection connection, RandomKind kind) {
        for (String namespace : RandomPlaces.NAMESPACES) {
            for (String name : RandomSelection.NAMES) {
                try {
                    connection.send(ApiRequest.of("patch", "PATCH", kind.path(namespace, name))
                            .withBody(MERGE, RELEASE.getBytes(StandardCharsets.UTF_8)));
                } catch (ApiException e) {
                    continue; // there is no such object
                }
            }
        }
    }

    private String any(String[] from) {
        return from[random.nextInt(from.length)];
    }

    private String value() {
        return "v" + random.nextInt(5) + "-" + count;
    }

    private String label() {
        return random.nextInt(4) == 0 ? "{\"app\":null}" : "{\"app\":\"" + any(APPS) + "\"}";
    }

    private void create(String namespace, String name) {
        String labels = random.nextInt(4) == 0 ? "" : ",\"labels\":{\"app\":\"" + any(APPS) + "\"}";
        String finalizers = random.nextInt(5) == 0 ? ",\"finalizers\":[\"check.example.io/f\"]" : "";
        String owners = random.nextInt(3) == 0
                ? ",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n\",\"uid\":\"owner"
                        + random.nextInt(3) + "\"}]"
                : "";
        String annotations = random.nextInt(3) == 0
                ? ",\"annotations\":{\"note\":\"n\",\"kubectl.kubernetes.io/last-applied-configuration\":\"{}\"}"
                : "";
        String metadata = "{\"name\":\"" + name + "\"" + labels + annotations + finalizers + owners + "}";
        written.object(
                send("create", "POST", kind.path(namespace, ""), ApiRequest.JSON, kind.object(metadata, value())));
    }

    /** Namespaces come into a selection by label and leave it; the last one comes and goes itself. */
    private void writeNamespace(String namespace) {
        boolean passing = namespace.equals(RandomPlaces.NAMESPACES.get(RandomPlaces.NAMESPACES.size() - 1));
        String labels = "{\"metadata\":{\"name\":\"" + namespace + "\",\"labels\":{\"team\":"
                + (random.nextInt(3) == 0 ? "\"b\"" : "\"a\"") + "}}}";
        if (passing && random.nextInt(3) == 0) {
            send("delete", "DELETE", NAMESPACE + namespace, ApiRequest.JSON, "{}");
        } else if (passing && random.nextBoolean()) {
            send("create", "POST", "/api/v1/namespaces", ApiRequest.JSON, labels);
        } else {
            send("patch", "PATCH", NAMESPACE + namespace, MERGE, labels);
        }
    }

    private void patch(String namespace, String name, String fields) {
        byte[] answer = send("patch", "PATCH", kind.path(namespace, name), MERGE, "{" + fields + "}");
        JsonNode metadata =
                ServerTruth.parse(new String(answer, StandardCharsets.UTF_8)).path("metadata");
        if (metadata.has("deletionTimestamp") && !metadata.has("finalizers")) {
            return; // it is gone, though the answer does not say so
        }
        written.object(answer);
    }

    private void delete(String namespace, String name) {
        byte[] answer = send("delete", "DELETE", kind.path(namespace, name), ApiRequest.JSON, "{}");
        JsonNode object = ServerTruth.parse(new String(answer, StandardCharsets.UTF_8));
        if (object.path("kind").asText().equals("Status")) {
            written.removed(
                    ObjectKey.of(namespace, name),
                    object.path("details").path("uid").asText(""));
        } else {
            written.object(answer);
        }
    }

    private byte[] send(String verb, String method, String path, String type, String body) {
        requests.add(method + " " + path + " " + body);
        return connection
                .send(ApiRequest.of(verb, method, path)
                        .withTimeout(TIMEOUT)
                        .withBody(type, body.getBytes(StandardCharsets.UTF_8)))
                .body();
    }
}
