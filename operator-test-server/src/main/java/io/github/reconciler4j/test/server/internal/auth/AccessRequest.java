package io.github.reconciler4j.test.server.internal.auth;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;

/**
 * Something a user wants to do.
 *
 * @param isResource whether with a resource; else with a path
 * @param subresource the part; empty for the whole
 * @param namespace the namespace; empty for the cluster scope
 * @param name the object; empty for any
 * @param path the path, when it is no resource
 */
public record AccessRequest(
        User user,
        String verb,
        boolean isResource,
        String group,
        String resource,
        String subresource,
        String namespace,
        String name,
        String path) {

    /** Something with a path that is no resource. */
    public static AccessRequest toPath(User user, String verb, String path) {
        return new AccessRequest(user, verb, false, "", "", "", "", "", path);
    }

    String fullResource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }

    public String refusal() {
        String who = "User " + FieldError.quoted(user.name()) + " cannot " + verb + " ";
        if (!isResource) {
            return who + "path " + FieldError.quoted(path);
        }
        String where =
                namespace.isEmpty() ? "at the cluster scope" : "in the namespace " + FieldError.quoted(namespace);
        return who + "resource " + FieldError.quoted(fullResource()) + " in API group " + FieldError.quoted(group) + " "
                + where;
    }

    public StatusException toForbidden() {
        if (!isResource) {
            return new StatusException(403, "Forbidden", "forbidden: " + refusal(), Json.object());
        }
        return StatusException.forbidden(group, resource, name, refusal());
    }
}
