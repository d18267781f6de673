package io.github.reconciler4j.manager;

import io.github.reconciler4j.scheme.KindInfo;
import java.util.Set;
import java.util.TreeSet;

/**
 * A right that a component needs on the API server. Immutable.
 *
 * @param group the API group, {@code ""} for the core group
 * @param resource the resource, with a subresource after a slash: {@code deployments}, {@code deployments/status}
 * @param verbs what is done, for instance {@code list}
 * @param namespace where; {@code ""} for all namespaces and for kinds without
 * @param name the only object it is needed for, {@code ""} for all
 * @since 0.1.0
 */
public record RequiredPermission(String group, String resource, Set<String> verbs, String namespace, String name) {

    /** Copies the verbs. */
    public RequiredPermission {
        verbs = Set.copyOf(verbs);
        if (resource.isBlank() || verbs.isEmpty()) {
            throw new IllegalArgumentException(
                    "'resource' and 'verbs' must not be empty, were '" + resource + "' and " + new TreeSet<>(verbs));
        }
    }

    /** The right to do something with all objects of a resource in a namespace, {@code ""} for all. */
    public RequiredPermission(String group, String resource, Set<String> verbs, String namespace) {
        this(group, resource, verbs, namespace, "");
    }

    /** The right to do something with a kind in all namespaces. */
    public static RequiredPermission of(KindInfo kind, String... verbs) {
        return new RequiredPermission(kind.kind().group(), kind.plural(), Set.of(verbs), "");
    }

    /** The right to watch a kind, which takes two verbs. */
    public static RequiredPermission watching(KindInfo kind) {
        return of(kind, "list", "watch");
    }

    /** The same in one namespace. */
    public RequiredPermission inNamespace(String newNamespace) {
        return new RequiredPermission(group, resource, verbs, newNamespace, name);
    }

    /** The same for one object only. */
    public RequiredPermission forName(String objectName) {
        return new RequiredPermission(group, resource, verbs, namespace, objectName);
    }

    /** The same for these verbs only. */
    public RequiredPermission forVerbs(Set<String> someVerbs) {
        return new RequiredPermission(group, resource, someVerbs, namespace, name);
    }

    /** {@code resource.group/subresource}, or {@code resource/subresource} in the core group. */
    public String qualifiedResource() {
        if (group.isEmpty()) {
            return resource;
        }
        String[] parts = resource.split("/", 2);
        return parts[0] + "." + group + (parts.length > 1 ? "/" + parts[1] : "");
    }
}
