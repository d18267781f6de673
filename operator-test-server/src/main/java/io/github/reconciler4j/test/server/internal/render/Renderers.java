package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Picks the renderer that a request asks for. Stateless; safe for use by multiple threads. */
public final class Renderers {
    private static final List<String> INCLUDES = List.of("", "None", "Metadata", "Object");

    private final Clock clock;

    public Renderers(Clock clock) {
        this.clock = clock;
    }

    /** Return the renderer for a kind in the form that the request wants. */
    public Renderer of(ApiRequest request, ResourceType type) {
        View view = View.of(request);
        return switch (view.form()) {
            case WHOLE -> new WholeRenderer(type);
            case METADATA -> new MetadataRenderer(view.metaVersion());
            case TABLE -> {
                String include = request.query().first("includeObject");
                if (!INCLUDES.contains(include)) {
                    throw StatusException.badRequest(
                            "Unable to convert to Table as requested: includeObject: Invalid value: \"" + include
                                    + "\": must be 'Metadata', 'Object', 'None', or empty");
                }
                yield new TableRenderer(type, columns(type), clock, view.metaVersion(), include);
            }
        };
    }

    private static List<Column> columns(ResourceType type) {
        return type.custom() == null ? BuiltInColumns.of(type) : CustomColumns.of(type.custom());
    }

    /** Objects as they are. */
    private static final class WholeRenderer implements Renderer {
        private static final byte[] COMMA = {','};
        private static final byte[] END = {']', '}', '\n'};

        private final ResourceType type;

        WholeRenderer(ResourceType type) {
            this.type = type;
        }

        @Override
        public byte[] object(StoredObject object) {
            return Representation.textForReader(type, object);
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
            for (byte[] item : Representation.listItems(type, items)) {
                if (parts.size() > 1) {
                    parts.add(COMMA);
                }
                parts.add(item);
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

    /** Objects as rows of a {@code Table}. Headings come with the first table of a watch only. */
    private static final class TableRenderer implements Renderer {
        private final ResourceType type;
        private final List<Column> columns;
        private final Clock clock;
        private final String metaVersion;
        private final String includeObject;
        private boolean headingsSent;

        TableRenderer(ResourceType type, List<Column> columns, Clock clock, String metaVersion, String includeObject) {
            this.type = type;
            this.columns = columns;
            this.clock = clock;
            this.metaVersion = metaVersion;
            this.includeObject = includeObject;
        }

        @Override
        public byte[] object(StoredObject object) {
            return tree(Representation.inVersion(type, object.tree()));
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
            Representation.inVersion(type, items).forEach(item -> rows.add(row(item)));
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
            row.set("cells", cells(object));
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
            for (Column column : columns) {
                headings.addObject()
                        .put("name", column.name())
                        .put("type", column.type())
                        .put("format", column.format())
                        .put("description", column.description())
                        .put("priority", column.priority());
            }
            return headings;
        }

        private ArrayNode cells(ObjectNode object) {
            ArrayNode cells = Json.array();
            columns.forEach(column -> cells.add(column.cell().of(object, clock.instant())));
            return cells;
        }

        private ObjectNode row(ObjectNode object) {
            ObjectNode row = Json.object();
            row.set("cells", cells(object));
            switch (includeObject) {
                case "None" -> row.putNull("object");
                case "Object" -> row.set("object", object);
                default -> row.set("object", MetadataRenderer.partial(object, metaVersion));
            }
            return row;
        }
    }

    /** Objects as {@code PartialObjectMetadata}. */
    private static final class MetadataRenderer implements Renderer {
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

        /** Return the metadata of an object as a separate object. */
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
}
