package io.github.reconciler4j.test.request;

/**
 * The subject of a request to the server. Immutable.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * Predicate<ServerRequest> others =
 *         request -> request.isWrite() && !request.user().equals(TestCluster.OPERATOR);
 * return server.requests().count(others);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ServerRequest {

    /**
     * Return the verb: {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch},
     * {@code delete} or {@code deletecollection}. For a path without a resource, the HTTP method in lower case.
     */
    String verb();

    /** Return the API group, empty for the core group. */
    String group();

    /** Return the API version. */
    String version();

    /** Return the plural in lower case, empty for a path without a resource. */
    String resource();

    /** Return the kind, empty if the resource is unknown. */
    String kind();

    /** Return the namespace, empty for none. */
    String namespace();

    /** Return the name of the object, empty for a collection. */
    String name();

    /** Return the subresource, empty for the object itself. */
    String subresource();

    /** Return the name of the user, empty if the user is unknown. */
    String user();

    /** Return the path. */
    String path();

    /** Return whether the request writes. */
    default boolean isWrite() {
        return switch (verb()) {
            case "create", "update", "patch", "delete", "deletecollection" -> true;
            default -> false;
        };
    }
}
