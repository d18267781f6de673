package io.github.reconciler4j.client.internal.http;

import java.util.Set;

/**
 * What a request path points at, in the words of logs and rights. Immutable.
 *
 * @param resource {@code plural} or {@code plural.group}; the path itself where it names no resource
 * @param subresource for instance {@code status}, {@code ""} for none
 * @param namespace the namespace, {@code ""} for none
 * @param name the object's name, {@code ""} for a collection
 */
public record RequestTarget(String resource, String subresource, String namespace, String name) {

    private static final Set<String> SUBRESOURCES_OF_NAMESPACES = Set.of("status", "finalize");

    public static RequestTarget of(String path) {
        String[] parts = path.substring(path.startsWith("/") ? 1 : 0).split("/", -1);
        if (parts.length >= 3 && parts[0].equals("api")) {
            return ofResource(parts, 2, "");
        }
        if (parts.length >= 4 && parts[0].equals("apis")) {
            return ofResource(parts, 3, parts[1]);
        }
        return new RequestTarget(path, "", "", "");
    }

    private static RequestTarget ofResource(String[] parts, int start, String group) {
        int at = start;
        String namespace = "";
        if (parts[at].equals("namespaces") && parts.length > at + 2 && !isNamespaceSubresource(parts, at)) {
            namespace = parts[at + 1];
            at += 2;
        }
        String resource = group.isEmpty() ? parts[at] : parts[at] + "." + group;
        String name = parts.length > at + 1 ? parts[at + 1] : "";
        String subresource = parts.length > at + 2 ? parts[at + 2] : "";
        return new RequestTarget(resource, subresource, namespace, name);
    }

    private static boolean isNamespaceSubresource(String[] parts, int at) {
        return parts.length == at + 3 && SUBRESOURCES_OF_NAMESPACES.contains(parts[at + 2]);
    }

    /** For instance {@code update deployments.apps/scale shop/web}. */
    public String describe(String verb) {
        StringBuilder text = new StringBuilder(verb).append(' ').append(resource);
        if (!subresource.isEmpty()) {
            text.append('/').append(subresource);
        }
        if (!namespace.isEmpty() && !name.isEmpty()) {
            text.append(' ').append(namespace).append('/').append(name);
        } else if (!name.isEmpty()) {
            text.append(' ').append(name);
        } else if (!namespace.isEmpty()) {
            text.append(" in ").append(namespace);
        }
        return text.toString();
    }
}
