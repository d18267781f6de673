package io.github.reconciler4j.test.request;

import java.time.Instant;

/**
 * A request that was answered.
 *
 * @param request what it was about
 * @param status the HTTP status code of the answer; 0 when the connection was cut instead
 * @param time when it arrived, by the server's clock
 * @since 0.1.0
 */
public record LoggedRequest(ServerRequest request, int status, Instant time) {
    /** Returns one line: verb, resource, place, status. */
    @Override
    public String toString() {
        String part = request.subresource().isEmpty() ? "" : "/" + request.subresource();
        String place = request.namespace().isEmpty() ? request.name() : request.namespace() + "/" + request.name();
        return request.verb() + " " + request.resource() + part + " " + place + " -> " + status;
    }
}
