package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;

/** Objects as {@code PartialObjectMetadata}. */
final class MetadataRenderer implements Renderer {
    private final String metaVersion;

    MetadataRenderer(String metaVersion) {
        this.metaVersion = metaVersion;
    }

    @Override
    public byte[] object(StoredObject object) {
        return tree(object.tree());
    }

    @Override
    public byte[] tree(ObjectNode object) {
        return Json.bytes(partial(object, metaVersion));
    }

    /** The metadata of an object, as an object of its own. */
    static ObjectNode partial(ObjectNode object, String metaVersion) {
        ObjectNode partial = Json.object();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/" + metaVersion);
        partial.set("metadata", Json.metadata(object));
        return partial;
    }

    @Override
    public List<byte[]> list(List<StoredObject> items, ListMeta metadata) {
        ObjectNode list = Json.object();
        list.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/" + metaVersion);
        list.set("metadata", metadata.tree());
        ArrayNode array = list.putArray("items");
        items.forEach(item -> array.add(partial(item.tree(), metaVersion)));
        return List.of(Json.bytes(list));
    }

    @Override
    public byte[] bookmark(long version, boolean initialEnd) {
        ObjectNode object = Json.object();
        object.set("metadata", Bookmarks.metadata(version, initialEnd));
        return Json.bytes(partial(object, metaVersion));
    }
}
