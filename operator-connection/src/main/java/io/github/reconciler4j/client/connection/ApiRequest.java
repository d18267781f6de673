package io.github.reconciler4j.client.connection;

import io.github.reconciler4j.support.PathSegments;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request to the API server. Immutable and thread-safe as long as the array of the body is not changed.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * return ApiRequest.of("get", "GET", "/api/v1/namespaces/shop/pods/" + pod + "/log")
 *         .withQuery(Map.of("follow", List.of("true"), "tailLines", List.of("10")))
 *         .withTimeout(Duration.ofSeconds(10));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ApiRequest {

    /** The media type of JSON. */
    public static final String JSON = "application/json";

    /** The default time limit of a request, 30 seconds. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final Values values;

    private ApiRequest(Values values) {
        this.values = values;
    }

    /**
     * Create a request without query and body that accepts JSON.
     *
     * @param verb the Kubernetes verb for errors and metrics: {@code get}, {@code list}, {@code watch}, {@code create} ...
     * @param method the HTTP method
     * @param path the absolute path, not encoded
     * @throws IllegalArgumentException if a segment of the path is empty, {@code .} or {@code ..}, or contains a percent sign or
     *     a control character
     */
    public static ApiRequest of(String verb, String method, String path) {
        return new ApiRequest(new Values(verb, method, PathSegments.checkPath(path)));
    }

    /** Return the Kubernetes verb. */
    public String verb() {
        return values.verb;
    }

    /** Return the HTTP method. */
    public String method() {
        return values.method;
    }

    /** Return the absolute path, not encoded. */
    public String path() {
        return values.path;
    }

    /** Return the query parameters in order, not encoded. */
    public Map<String, List<String>> query() {
        return values.query;
    }

    /** Return the accepted media types. */
    public String accept() {
        return values.accept;
    }

    /** Return the media type of the body, null without a body. */
    public @Nullable String contentType() {
        return values.contentType;
    }

    /** Return the body, null without a body; the array must not be changed. */
    public byte @Nullable [] body() {
        return values.body;
    }

    /**
     * Return the time limit: of the complete response in {@link ApiConnection#send}, of its headers in
     * {@link ApiConnection#stream}. Zero means no limit; the default is 30 seconds.
     */
    public Duration timeout() {
        return values.timeout;
    }

    /**
     * Return whether a streamed response may be compressed, {@code false} by default. That saves traffic. The stream returns the
     * decompressed bytes.
     */
    public boolean gzip() {
        return values.gzip;
    }

    /** Return further headers, for example {@code traceparent}; none by default. */
    public Map<String, String> headers() {
        return values.headers;
    }

    /** Return the service account that sends it, as {@code namespace/name}; {@code ""}, the default, for the user of the connection. */
    public String serviceAccount() {
        return values.serviceAccount;
    }

    /** Return a copy of this request with the given query parameters instead of the current ones. */
    public ApiRequest withQuery(Map<String, List<String>> query) {
        return change(copy -> copy.query = Collections.unmodifiableMap(new LinkedHashMap<>(query)));
    }

    /** Return a copy of this request with the given accepted media types. */
    public ApiRequest withAccept(String accept) {
        return change(copy -> copy.accept = accept);
    }

    /** Return a copy of this request with the given body. */
    public ApiRequest withBody(String contentType, byte[] body) {
        return change(copy -> {
            copy.contentType = contentType;
            copy.body = body;
        });
    }

    /** Return a copy of this request with the given time limit, zero for none. */
    public ApiRequest withTimeout(Duration timeout) {
        return change(copy -> copy.timeout = timeout);
    }

    /** Return a copy of this request whose streamed response may or must not be compressed. */
    public ApiRequest withGzip(boolean gzip) {
        return change(copy -> copy.gzip = gzip);
    }

    /**
     * Return a copy of this request with the given further headers instead of the current ones. Headers that the connection sets
     * itself, such as {@code Authorization}, take precedence.
     */
    public ApiRequest withHeaders(Map<String, String> headers) {
        return change(copy -> copy.headers = Map.copyOf(headers));
    }

    /**
     * Return a copy of this request that a service account sends. The user of the connection impersonates it, also if the
     * configuration of the connection has another user to impersonate.
     *
     * @param account the account as {@code namespace/name}, {@code ""} for the user of the connection
     */
    public ApiRequest withServiceAccount(String account) {
        return account.equals(values.serviceAccount) ? this : change(copy -> copy.serviceAccount = account);
    }

    private ApiRequest change(Consumer<Values> change) {
        return new ApiRequest(values.changed(change));
    }

    /** The method and the path; neither the query, which may contain values, nor the body. */
    @Override
    public String toString() {
        return "ApiRequest[" + values.verb + ": " + values.method + " " + values.path + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private final String verb;
        private final String method;
        private final String path;
        private Map<String, List<String>> query = Map.of();
        private String accept = JSON;
        private @Nullable String contentType;
        private byte @Nullable [] body;
        private Duration timeout = DEFAULT_TIMEOUT;
        private boolean gzip;
        private Map<String, String> headers = Map.of();
        private String serviceAccount = "";

        private Values(String verb, String method, String path) {
            this.verb = verb;
            this.method = method;
            this.path = path;
        }
    }
}
