package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;

/** Lets new objects only into namespaces that exist and are not being deleted. */
final class NamespaceGate {
    private static final ResourceId NAMESPACES = new ResourceId("", "namespaces");

    private NamespaceGate() {}

    static void check(ObjectAccess access, ResourceType type, String namespace, String name) {
        if (!type.namespaced()) {
            return;
        }
        StoredObject stored = access.store().get(NAMESPACES, new ObjectName("", namespace));
        if (stored == null) {
            throw StatusException.notFound("", "namespaces", namespace);
        }
        if (Json.at(stored.tree(), "metadata", "deletionTimestamp") != null) {
            throw terminating(type, namespace, name);
        }
    }

    private static StatusException terminating(ResourceType type, String namespace, String name) {
        String why = "unable to create new content in namespace " + namespace + " because it is being terminated";
        StatusException plain = StatusException.forbidden(type.group(), type.plural(), name, why);
        ObjectNode details = Json.child(plain.toStatus(), "details");
        details.putArray("causes")
                .addObject()
                .put("reason", "NamespaceTerminating")
                .put("message", "namespace " + namespace + " is being terminated")
                .put("field", "metadata.namespace");
        return new StatusException(403, "Forbidden", String.valueOf(plain.getMessage()), details);
    }
}
