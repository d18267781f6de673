package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Picks the renderer that a request asks for. Stateless; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Renderers {
    private static final List<String> INCLUDES = List.of("", "None", "Metadata", "Object");

    private final Clock clock;

    /** Renderers that tell ages by the clock. */
    public Renderers(Clock clock) {
        this.clock = clock;
    }

    /** The renderer for a kind in the form that the request wants. */
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

    private static Columns columns(ResourceType type) {
        return type.custom() == null ? BuiltInColumns.of(type) : new CustomColumns(type.custom());
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
}
