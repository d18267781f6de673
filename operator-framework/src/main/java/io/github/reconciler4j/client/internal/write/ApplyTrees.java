package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.List;

/**
 * Removes from an object what must not or need not be applied.
 *
 * @since 0.1.0
 */
public final class ApplyTrees {

    private ApplyTrees() {}

    /** Return the object in the form that is applied; changes the given tree. */
    public static ObjectNode forObject(ObjectNode tree, ApplyOptions options) {
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.remove(List.of("managedFields", "creationTimestamp", "generation", "selfLink"));
        if (!options.optimisticLock()) {
            metadata.remove("resourceVersion");
        }
        return tree;
    }

    /**
     * Return what an apply of a tree sets: the object without the fields that only identify it. The result shares its values
     * with the tree.
     */
    public static ObjectNode given(ObjectNode tree) {
        ObjectNode given = KubernetesJson.mapper().createObjectNode();
        given.setAll(tree);
        given.remove(List.of("apiVersion", "kind"));
        if (given.get("metadata") instanceof ObjectNode metadata) {
            ObjectNode rest = given.putObject("metadata");
            rest.setAll(metadata);
            rest.remove(List.of("name", "namespace", "uid"));
            if (rest.isEmpty()) {
                given.remove("metadata");
            }
        }
        return given;
    }

    /** Return the object in the form that is applied to its status; changes the given tree. */
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
