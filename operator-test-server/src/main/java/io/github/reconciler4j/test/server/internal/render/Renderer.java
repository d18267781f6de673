package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;

/** Puts objects into the form that a client asked for. One renderer serves one request. */
public interface Renderer {
    byte[] object(StoredObject object);

    /** Return an object that is not in the store, such as the outcome of a dry run. */
    byte[] tree(ObjectNode object);

    List<byte[]> list(List<StoredObject> items, ListMeta metadata);

    /** Return the object of a bookmark event; {@code initialEnd} marks the end of the initial events. */
    byte[] bookmark(long version, boolean initialEnd);
}
