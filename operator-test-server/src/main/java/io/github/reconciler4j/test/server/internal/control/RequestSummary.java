package io.github.reconciler4j.test.server.internal.control;

import io.github.reconciler4j.test.request.ServerRequest;

/**
 * The subject of a request, for the log, fault rules and watches. The components are those of {@link ServerRequest}.
 * Immutable.
 */
public record RequestSummary(
        String verb,
        String group,
        String version,
        String resource,
        String kind,
        String namespace,
        String name,
        String subresource,
        String user,
        String path)
        implements ServerRequest {

    /** Return the same request about another object, as for the events of a watch. */
    public RequestSummary about(String otherNamespace, String otherName) {
        return new RequestSummary(
                verb, group, version, resource, kind, otherNamespace, otherName, subresource, user, path);
    }
}
