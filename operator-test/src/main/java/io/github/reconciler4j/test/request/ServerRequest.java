package io.github.reconciler4j.test.request;

/**
 * What a request to the server is about. Immutable.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch}, {@code delete},
 *     {@code deletecollection}, or the lower-case HTTP method for paths without a resource
 * @param group the API group, empty for the core group
 * @param version the API version
 * @param resource the lower-case plural; empty for paths without a resource
 * @param kind the kind; empty when the resource is unknown
 * @param namespace the namespace, empty for none
 * @param name the object's name, empty for collections
 * @param subresource the part of the object, empty for the whole
 * @param user who asks; empty when that is unknown
 * @param path the path
 * @since 0.1.0
 */
public record ServerRequest(
        String verb,
        String group,
        String version,
        String resource,
        String kind,
        String namespace,
        String name,
        String subresource,
        String user,
        String path) {

    /** Returns whether the request writes. */
    public boolean isWrite() {
        return switch (verb) {
            case "create", "update", "patch", "delete", "deletecollection" -> true;
            default -> false;
        };
    }

    /** Returns the same request about another object, as for the events of a watch. */
    public ServerRequest about(String otherNamespace, String otherName) {
        return new ServerRequest(
                verb, group, version, resource, kind, otherNamespace, otherName, subresource, user, path);
    }
}
