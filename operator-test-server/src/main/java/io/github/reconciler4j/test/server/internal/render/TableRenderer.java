package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.time.Clock;
import java.util.List;

/** Objects as rows of a {@code Table}. Headings come with the first table of a watch only. */
final class TableRenderer implements Renderer {
    private final ResourceType type;
    private final Columns columns;
    private final Clock clock;
    private final String metaVersion;
    private final String includeObject;
    private boolean headingsSent;

    TableRenderer(ResourceType type, Columns columns, Clock clock, String metaVersion, String includeObject) {
        this.type = type;
        this.columns = columns;
        this.clock = clock;
        this.metaVersion = metaVersion;
        this.includeObject = includeObject;
    }

    @Override
    public byte[] object(StoredObject object) {
        return tree(object.tree());
    }

    @Override
    public byte[] tree(ObjectNode object) {
        ObjectNode metadata = Json.object();
        metadata.put("resourceVersion", Json.text(object, "metadata", "resourceVersion"));
        ObjectNode table = table(metadata);
        table.withArray("rows").add(row(object));
        return Json.bytes(table);
    }

    @Override
    public List<byte[]> list(List<StoredObject> items, ListMeta metadata) {
        ObjectNode table = table(metadata.tree());
        ArrayNode rows = table.withArray("rows");
        items.forEach(item -> rows.add(row(item.tree())));
        return List.of(Json.bytes(table));
    }

    @Override
    public byte[] bookmark(long version, boolean initialEnd) {
        ObjectNode object = Json.object();
        object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        object.set("metadata", Bookmarks.metadata(version, initialEnd));
        ObjectNode metadata = Json.object();
        metadata.put("resourceVersion", Long.toString(version));
        ObjectNode table = table(metadata);
        ObjectNode row = table.withArray("rows").addObject();
        row.putArray("cells").addAll(columns.cells(object, clock.instant()));
        row.set("object", MetadataRenderer.partial(object, metaVersion));
        return Json.bytes(table);
    }

    private ObjectNode table(ObjectNode metadata) {
        ObjectNode table = Json.object();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/" + metaVersion);
        table.set("metadata", metadata);
        if (headingsSent) {
            table.putNull("columnDefinitions");
        } else {
            table.set("columnDefinitions", headings());
        }
        headingsSent = true;
        table.putArray("rows");
        return table;
    }

    private ArrayNode headings() {
        ArrayNode headings = Json.array();
        for (Columns.Column column : columns.columns()) {
            headings.addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("format", column.format())
                    .put("description", column.description())
                    .put("priority", column.priority());
        }
        return headings;
    }

    private ObjectNode row(ObjectNode object) {
        Representation.inVersion(type, object);
        ObjectNode row = Json.object();
        row.putArray("cells").addAll(columns.cells(object, clock.instant()));
        switch (includeObject) {
            case "None" -> row.putNull("object");
            case "Object" -> row.set("object", object);
            default -> row.set("object", MetadataRenderer.partial(object, metaVersion));
        }
        return row;
    }
}
