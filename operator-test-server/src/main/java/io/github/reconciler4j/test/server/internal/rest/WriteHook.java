package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import org.jspecify.annotations.Nullable;

/** Receives writes, in the thread of the writer and before the writer gets its response. */
@FunctionalInterface
public interface WriteHook {
    /**
     * One object was written.
     *
     * @param before its state before; null when it was created
     * @param after its state after; null when it is gone
     */
    void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after);
}
