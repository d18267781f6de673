package io.github.reconciler4j.test.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sends plain requests to a server that does not encrypt. */
final class HttpUser {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    HttpUser(String url) {
        this.url = url;
    }

    /**
     * An answer.
     *
     * @param status its status code
     * @param response its headers and the like
     * @param body its body as JSON, or a text node
     */
    record Reply(int status, HttpResponse<String> response, JsonNode body) {
        String message() {
            return Json.text(body, "message");
        }

        String reason() {
            return Json.text(body, "reason");
        }
    }

    Reply send(String method, String path, @Nullable String body, String... headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        } else if (body != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response, tree(response.body()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static JsonNode tree(String text) throws IOException {
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            return com.fasterxml.jackson.databind.node.TextNode.valueOf(text);
        }
    }

    Reply get(String path) throws IOException {
        return send("GET", path, null);
    }

    Reply post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    /** Opens a stream and leaves reading to the caller. */
    InputStream stream(String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofInputStream())
                    .body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
