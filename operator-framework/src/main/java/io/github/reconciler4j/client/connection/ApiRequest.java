package io.github.reconciler4j.client.connection;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request to the API server, relative to its address.
 *
 * @param verb the Kubernetes verb, for errors and metrics: {@code get}, {@code list}, {@code watch}, {@code create} ...
 * @param method the HTTP method
 * @param path the absolute path, not encoded
 * @param query the query parameters in order, not encoded
 * @param accept the media types that may be answered
 * @param contentType the media type of the body, null without a body
 * @param body the body, null for none
 * @param timeout how long to wait for the answer's headers (and, in {@code send}, for all of it); zero is without end
 * @param gzip whether a streamed answer may come compressed, which saves bytes and costs the server processor time; it
 *     is read as if it had not been
 * @since 0.1.0
 */
public record ApiRequest(
        String verb,
        String method,
        String path,
        Map<String, List<String>> query,
        String accept,
        @Nullable String contentType,
        byte @Nullable [] body,
        Duration timeout,
        boolean gzip) {

    /** The media type of plain JSON. */
    public static final String JSON = "application/json";

    /** How long a request waits for its answer unless it says otherwise: 30 seconds. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** A request without query and body. */
    public static ApiRequest of(String verb, String method, String path) {
        return new ApiRequest(verb, method, path, Map.of(), JSON, null, null, DEFAULT_TIMEOUT, false);
    }

    /** The same with these query parameters in place of the former. */
    public ApiRequest withQuery(Map<String, List<String>> newQuery) {
        return new ApiRequest(verb, method, path, newQuery, accept, contentType, body, timeout, gzip);
    }

    /** The same with another accepted media type. */
    public ApiRequest withAccept(String newAccept) {
        return new ApiRequest(verb, method, path, query, newAccept, contentType, body, timeout, gzip);
    }

    /** The same with a body. */
    public ApiRequest withBody(String newContentType, byte[] newBody) {
        return new ApiRequest(verb, method, path, query, accept, newContentType, newBody, timeout, gzip);
    }

    /** The same with another time limit. */
    public ApiRequest withTimeout(Duration newTimeout) {
        return new ApiRequest(verb, method, path, query, accept, contentType, body, newTimeout, gzip);
    }

    /** The same with a compressed answer or not. */
    public ApiRequest withGzip(boolean newGzip) {
        return new ApiRequest(verb, method, path, query, accept, contentType, body, timeout, newGzip);
    }
}
