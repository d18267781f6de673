package io.github.reconciler4j.test.server.differential;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends requests to one server as one user. Safe for use by many threads. */
final class ApiUser {
    /** How long an answer may take before the connection counts as stuck. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final String AGENT = "differential/1.0";

    private final URI server;
    private final HttpClient http;
    private final @Nullable String token;

    private ApiUser(URI server, HttpClient http, @Nullable String token) {
        this.server = server;
        this.http = http;
        this.token = token;
    }

    /** The user of a client configuration: its certificate or token. */
    static ApiUser of(Config config) {
        try {
            HttpClient http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(SSLUtils.sslContext(config))
                    .build();
            String url = config.getMasterUrl();
            URI server = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            String token = config.getOauthToken() == null ? config.getAutoOAuthToken() : config.getOauthToken();
            return new ApiUser(server, http, token);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same server, asked with another token, or with none. */
    ApiUser withToken(@Nullable String other) {
        return new ApiUser(server, http, other);
    }

    HttpResponse<byte[]> send(String method, String path, byte @Nullable [] body, Map<String, String> headers)
            throws IOException, InterruptedException {
        return http.send(request(method, path, body, headers).timeout(TIMEOUT).build(), BodyHandlers.ofByteArray());
    }

    /** Opens a stream; the caller reads and closes it. */
    HttpResponse<InputStream> open(String path, Map<String, String> headers) throws IOException, InterruptedException {
        return http.send(request("GET", path, null, headers).build(), BodyHandlers.ofInputStream());
    }

    private HttpRequest.Builder request(
            String method, String path, byte @Nullable [] body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .header("User-Agent", AGENT)
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        headers.forEach(request::header);
        return request;
    }
}
