package io.github.reconciler4j.test.request;

import java.time.Instant;

/**
 * A request that the server has answered. Immutable.
 *
 * <!-- snippet: BusyServerTests -->
 * <pre>{@code
 * await().untilAsserted(() -> assertThat(server.requests().matching(writes))
 *         .extracting(LoggedRequest::status)
 *         .containsSubsequence(503, 503, 201));
 * }</pre>
 *
 * @param request the subject of the request
 * @param status the HTTP status code of the response, 0 if the server reset the connection instead
 * @param time when the request arrived, by the clock of the server
 * @since 0.1.0
 */
public record LoggedRequest(ServerRequest request, int status, Instant time) {

    /** Return one line: verb, resource, object and status. */
    @Override
    public String toString() {
        String part = request.subresource().isEmpty() ? "" : "/" + request.subresource();
        String object = request.namespace().isEmpty() ? request.name() : request.namespace() + "/" + request.name();
        return request.verb() + " " + request.resource() + part + " " + object + " -> " + status;
    }
}
