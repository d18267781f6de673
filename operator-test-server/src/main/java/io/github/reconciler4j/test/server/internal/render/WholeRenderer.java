package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Objects as they are. */
final class WholeRenderer implements Renderer {
    private static final byte[] COMMA = {','};
    private static final byte[] END = {']', '}', '\n'};

    private final ResourceType type;

    WholeRenderer(ResourceType type) {
        this.type = type;
    }

    @Override
    public byte[] object(StoredObject object) {
        return Representation.text(type, object);
    }

    @Override
    public byte[] tree(ObjectNode object) {
        return Json.bytes(object);
    }

    @Override
    public List<byte[]> list(List<StoredObject> items, ListMeta metadata) {
        ObjectNode head = Json.object();
        head.put("kind", type.names().listKind()).put("apiVersion", type.apiVersion());
        head.set("metadata", metadata.tree(type.custom() != null));
        head.putArray("items");
        byte[] text = Json.bytes(head);
        List<byte[]> parts = new ArrayList<>(2 * items.size() + 2);
        parts.add(Arrays.copyOf(text, text.length - 2));
        for (StoredObject item : items) {
            if (parts.size() > 1) {
                parts.add(COMMA);
            }
            parts.add(Representation.listItem(type, item));
        }
        parts.add(END);
        return parts;
    }

    @Override
    public byte[] bookmark(long version, boolean initialEnd) {
        ObjectNode object = Json.object();
        object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        object.set("metadata", Bookmarks.metadata(version, initialEnd));
        return Json.bytes(object);
    }
}
