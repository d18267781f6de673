package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Plain requests to an API server, as its administrator. Safe for use by many threads. */
public final class RealApi implements AutoCloseable {

    /** What the server answered: status, body (missing if it is not JSON), and the texts of its warnings. */
    public record Answer(int status, JsonNode body, List<String> warnings) {

        /** Returns the message of an error. */
        public String message() {
            return body.path("message").asText();
        }
    }

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Pattern WARNING = Pattern.compile("299 - \"((?:[^\"\\\\]|\\\\.)*)\"");

    private final URI server;
    private final KubernetesClient client;
    private final HttpClient http;

    public RealApi(RealKubernetes kubernetes) {
        this(kubernetes.server(), kubernetes.config());
    }

    /** Requests to any server. */
    public RealApi(URI server, Config access) {
        this.server = server;
        // an answer of 500 is an answer like any other here
        Config config =
                new ConfigBuilder(access).withRequestRetryBackoffLimit(0).build();
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.http = client.getHttpClient();
    }

    public Answer get(String path) {
        return send("GET", path, null, "application/json", "application/json");
    }

    public Answer get(String path, String accept) {
        return send("GET", path, null, "application/json", accept);
    }

    public Answer create(String path, JsonNode body) {
        return send("POST", path, body.toString(), "application/json", "application/json");
    }

    public Answer replace(String path, JsonNode body) {
        return send("PUT", path, body.toString(), "application/json", "application/json");
    }

    public Answer delete(String path) {
        return send("DELETE", path, null, "application/json", "application/json");
    }

    /** Patches; the kind is one of json, merge, strategic-merge. */
    public Answer patch(String path, String kind, JsonNode body) {
        return send("PATCH", path, body.toString(), "application/" + kind + "-patch+json", "application/json");
    }

    public Answer apply(String path, JsonNode body) {
        return send("PATCH", path, body.toString(), "application/apply-patch+yaml", "application/json");
    }

    /** Sends any request. */
    public Answer send(String method, String path, @Nullable String body, String contentType, String accept) {
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri(server.resolve(path))
                .header("Accept", accept)
                .timeout(60, TimeUnit.SECONDS);
        request.method(method, contentType, body);
        HttpResponse<byte[]> response =
                http.sendAsync(request.build(), byte[].class).join();
        return new Answer(response.code(), read(response.body()), warnings(response.headers("Warning")));
    }

    /** Creates an object and returns the answer in another encoding. */
    public byte[] create(String path, JsonNode body, String accept) {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(server.resolve(path))
                .header("Accept", accept)
                .method("POST", "application/json", body.toString())
                .build();
        return http.sendAsync(request, byte[].class).join().body();
    }

    private static JsonNode read(byte[] body) {
        try {
            return withoutEmptyTime(MAPPER.readTree(body));
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /** Former versions write the time of a template that has none. */
    private static JsonNode withoutEmptyTime(JsonNode body) {
        if (body.at("/spec/template/metadata") instanceof ObjectNode metadata
                && metadata.path("creationTimestamp").isNull()) {
            metadata.remove("creationTimestamp");
        }
        return body;
    }

    private static List<String> warnings(List<String> headers) {
        List<String> warnings = new ArrayList<>();
        Matcher matcher = WARNING.matcher(String.join(",", headers));
        while (matcher.find()) {
            warnings.add(matcher.group(1).replaceAll("\\\\(.)", "$1"));
        }
        return warnings;
    }

    @Override
    public void close() {
        client.close();
    }
}
