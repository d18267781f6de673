package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;

/**
 * Puts objects into the form that a client asked for. One renderer serves one request.
 *
 * @since 0.1.0
 */
public interface Renderer {
    /** An object for an answer or a watch event. */
    byte[] object(StoredObject object);

    /** An object that is not in the store, such as the outcome of a dry run. */
    byte[] tree(ObjectNode object);

    /** A whole list, as the parts of its text. */
    List<byte[]> list(List<StoredObject> items, ListMeta metadata);

    /** The object of a bookmark event; {@code initialEnd} marks the end of the initial events. */
    byte[] bookmark(long version, boolean initialEnd);
}
