package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ApplyOptions;
import java.util.List;

/** Leaves out of an object what must not or need not be applied. */
final class ApplyTrees {

    private ApplyTrees() {}

    /** The object as it is applied; changes and returns the tree. */
    static ObjectNode forObject(ObjectNode tree, ApplyOptions options) {
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.remove(List.of("managedFields", "creationTimestamp", "generation", "selfLink"));
        if (!options.optimisticLock()) {
            metadata.remove("resourceVersion");
        }
        return tree;
    }

    /** What an apply sets: the object without what only says which one it is. */
    static ObjectNode given(ObjectNode wanted) {
        ObjectNode given = wanted.deepCopy();
        given.remove(List.of("apiVersion", "kind"));
        if (given.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("name", "namespace", "uid"));
            if (metadata.isEmpty()) {
                given.remove("metadata");
            }
        }
        return given;
    }

    /** The object as it is applied to its status: who it is, and the status. */
    static ObjectNode forStatus(ObjectNode tree, ApplyOptions options) {
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.retain("name", "namespace", "uid", options.optimisticLock() ? "resourceVersion" : "name");
        tree.retain("apiVersion", "kind", "metadata", "status");
        JsonNode status = tree.get("status");
        if (status == null || status.isNull()) {
            tree.putObject("status");
        }
        return tree;
    }
}
