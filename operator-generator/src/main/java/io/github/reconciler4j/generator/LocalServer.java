package io.github.reconciler4j.generator;

import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/**
 * An API server inside this JVM that judges what is generated.
 *
 * @since 0.1.0
 */
public final class LocalServer implements AutoCloseable {

    private final KubernetesServer server =
            KubernetesServer.builder().https(false).start();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    /**
     * The answer to a request.
     *
     * @param code the status code
     * @param body the body, which is always an object
     * @since 0.1.0
     */
    public record Answer(int code, Map<String, Object> body) {}

    /** Start a server. */
    public LocalServer() {}

    /**
     * Read an object.
     *
     * @throws GeneratorException if the class path contains no server
     */
    public Map<String, Object> get(String path) {
        Answer answer = send(request(path).GET(), path);
        if (answer.code() != 200) {
            throw new GeneratorException("The API server in this JVM has no " + path + ": "
                    + answer.body().get("message"));
        }
        return answer.body();
    }

    /** Create an object at the path of its collection. */
    public Answer create(String path, Map<String, Object> object) {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(Yaml.json(object))),
                path);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + server.adminToken())
                .header("Accept", "application/json")
                .timeout(Duration.ofSeconds(60));
    }

    private Answer send(HttpRequest.Builder request, String path) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), Yaml.read(response.body(), "The answer to " + path));
        } catch (IOException e) {
            throw new GeneratorException("The API server in this JVM does not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GeneratorException("Interrupted while the API server in this JVM answered", e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
