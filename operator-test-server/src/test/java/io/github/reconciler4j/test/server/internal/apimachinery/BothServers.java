package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.server.ErrorShape;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends the same requests to a real API server and to one of ours, and notes where the answers differ. */
public final class BothServers implements AutoCloseable {
    private static final Set<String> VARYING = Set.of(
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "lastTransitionTime",
            "lastPhaseTransitionTime",
            "batch.kubernetes.io/controller-uid",
            "controller-uid",
            "time",
            "clusterIP",
            "clusterIPs",
            "nodePort",
            "healthCheckNodePort");

    private static final int TITLE = 400;

    private final RealApi real;
    private final KubernetesServer server;
    private final RealApi ours;
    private final List<String> differences = new ArrayList<>();

    public BothServers(RealKubernetes kubernetes) {
        real = new RealApi(kubernetes);
        server = KubernetesServer.start();
        ours = new RealApi(URI.create(server.url()), server.clientConfig());
    }

    /** The real server. */
    public RealApi real() {
        return real;
    }

    /** Our server. */
    public RealApi ours() {
        return ours;
    }

    /** Our server with its settings. */
    public KubernetesServer server() {
        return server;
    }

    /** Notes a difference. */
    public void differ(String difference) {
        differences.add(difference);
    }

    /** Installs a definition on both and waits until both serve it. */
    public void define(JsonNode definition, String path) {
        Things.define(real, definition, path);
        Things.define(ours, definition, path);
    }

    /** What differed so far. */
    public List<String> differences() {
        return differences;
    }

    /** Reads the lines of a file beside this class, without comments. */
    public static List<String> lines(String resource) throws IOException {
        try (InputStream stream = BothServers.class.getResourceAsStream(resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    public Answer create(String path, JsonNode body) {
        return send("POST", path, body.toString(), "application/json");
    }

    public Answer create(String path, String body) {
        return create(path, TestJson.of(body));
    }

    public Answer merge(String path, String body) {
        return send("PATCH", path, TestJson.of(body).toString(), "application/merge-patch+json");
    }

    public Answer apply(String path, String body) {
        return send("PATCH", path, TestJson.of(body).toString(), "application/apply-patch+yaml");
    }

    /** Replaces an object with a variant of what each server has. */
    public Answer replace(String path, String target, java.util.function.Consumer<ObjectNode> change) {
        ObjectNode theirs = real.get(path).body().deepCopy();
        ObjectNode own = ours.get(path).body().deepCopy();
        change.accept(theirs);
        change.accept(own);
        Answer expected = real.replace(target, theirs);
        compare("PUT " + target, expected, ours.replace(target, own));
        return expected;
    }

    /** Sends a request to both and returns the real server's answer. */
    public Answer send(String method, String path, @Nullable String body, String type) {
        Answer expected = real.send(method, path, body, type, "application/json");
        Answer actual = ours.send(method, path, body, type, "application/json");
        compare(method + " " + path + " " + body, expected, actual);
        return expected;
    }

    private void compare(String title, Answer expected, Answer actual) {
        JsonNode wanted = normal(ErrorShape.of(expected.body()));
        JsonNode got = normal(ErrorShape.of(actual.body()));
        boolean same = expected.status() == actual.status()
                && wanted.equals(got)
                && expected.warnings().equals(own(actual));
        if (!same) {
            Map<String, String> lines = new TreeMap<>();
            if ((expected.status() < 300) != (actual.status() < 300)) {
                lines.put("", "real: " + expected.message() + "\n  ours: " + actual.message());
            } else {
                diff("", wanted, got, lines);
            }
            String shown = title.length() <= TITLE ? title : "..." + title.substring(title.length() - TITLE);
            differences.add(shown + "\n  status " + expected.status() + " / " + actual.status()
                    + (expected.warnings().equals(own(actual))
                            ? ""
                            : "\n  warnings " + expected.warnings() + " / " + own(actual))
                    + "\n  " + String.join("\n  ", lines.values()));
        }
    }

    /** The warnings of our server, without those that it adds because it is a test server. */
    private static List<String> own(Answer answer) {
        return answer.warnings().stream()
                .filter(warning -> !warning.startsWith("The test API server"))
                .toList();
    }

    private static String text(@Nullable JsonNode node) {
        return node == null ? "absent" : node.toString();
    }

    /** How two objects differ apart from what always does; empty if they do not. */
    public static String difference(JsonNode wanted, JsonNode got) {
        Map<String, String> lines = new TreeMap<>();
        diff("", normal(wanted), normal(got), lines);
        return String.join("\n", lines.values());
    }

    private static void diff(
            String path, @Nullable JsonNode wanted, @Nullable JsonNode got, Map<String, String> lines) {
        if (wanted != null && wanted.equals(got)) {
            return;
        }
        if (wanted instanceof ObjectNode && got instanceof ObjectNode) {
            wanted.fieldNames()
                    .forEachRemaining(name -> diff(path + "/" + name, wanted.get(name), got.get(name), lines));
            got.fieldNames().forEachRemaining(name -> diff(path + "/" + name, wanted.get(name), got.get(name), lines));
        } else if (wanted instanceof ArrayNode && got instanceof ArrayNode && wanted.size() == got.size()) {
            for (int i = 0; i < wanted.size(); i++) {
                diff(path + "/" + i, wanted.get(i), got.get(i), lines);
            }
        } else {
            lines.put(path, path + "\n    real: " + text(wanted) + "\n    ours: " + text(got));
        }
    }

    /** The same tree with what differs from server to server replaced, and owners and causes in one order. */
    private static JsonNode normal(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            object.properties().forEach(field -> {
                boolean varies = VARYING.contains(field.getKey())
                        && !field.getValue().toString().contains("None");
                copy.set(field.getKey(), varies ? copy.textNode("<" + field.getKey() + ">") : normal(field.getValue()));
            });
            return copy;
        }
        if (node instanceof ArrayNode list) {
            ArrayNode copy = list.arrayNode();
            list.forEach(item -> copy.add(normal(item)));
            return copy;
        }
        return node;
    }

    @Override
    public void close() {
        ours.close();
        real.close();
        server.close();
    }
}
