package io.github.reconciler4j.test.server.internal.render;

import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.time.Clock;
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
}
