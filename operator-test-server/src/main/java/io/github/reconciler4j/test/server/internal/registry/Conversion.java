package io.github.reconciler4j.test.server.internal.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Converts objects of a custom kind to another version. Safe for use by multiple threads. */
@FunctionalInterface
public interface Conversion {
    /**
     * Return the objects in another version, in the same order.
     *
     * @param objects objects that have other versions
     * @throws io.github.reconciler4j.test.server.internal.apimachinery.StatusException if that fails
     */
    List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion);
}
