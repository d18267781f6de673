package io.github.reconciler4j.scheme;

import io.github.reconciler4j.support.PathSegments;

/**
 * A kind with the plural and scope that its paths on an API server need. Immutable.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * return scheme.kindOf(object).path(ObjectKey.of(object));
 * }</pre>
 *
 * @param kind the kind
 * @param plural the resource name in paths, for instance {@code deployments}
 * @param namespaced whether its objects have a namespace
 * @since 0.1.0
 */
public record KindInfo(KindName kind, String plural, boolean namespaced) {

    /** Create a kind and check that the plural is not blank. */
    public KindInfo {
        if (plural.isBlank()) {
            throw new IllegalArgumentException("'plural' of " + kind + " must not be blank");
        }
    }

    /** Return {@code plural.group}, or {@code plural} in the core group, as permissions and logs name a resource. */
    public String resource() {
        return kind.group().isEmpty() ? plural : plural + "." + kind.group();
    }

    /**
     * Return the path of the collection.
     *
     * @param namespace the namespace, {@code ""} for all namespaces or a cluster-scoped kind
     */
    public String path(String namespace) {
        String root = kind.group().isEmpty() ? "/api/" + kind.version() : "/apis/" + kind.apiVersion();
        return namespace.isEmpty() || !namespaced
                ? root + "/" + plural
                : root + "/namespaces/" + PathSegments.check("namespace", namespace) + "/" + plural;
    }

    /** Return the path of one object. */
    public String path(ObjectKey key) {
        return path(key.namespace()) + "/" + PathSegments.check("name", key.name());
    }
}
