package io.github.reconciler4j.test.server.internal.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of a CustomResourceDefinition.
 *
 * @param definition the name of the definition
 * @param definitionVersion the resource version of the definition that this was read from
 * @param schema its schema; null when it has none
 * @param selectableFields the JSON paths that field selectors may name
 * @param scale its {@code subresources.scale}; null when it has none
 * @param goes whether the definition is being deleted, so that no objects can be created
 * @param warning the warning for clients of a deprecated version, else empty
 * @param conversion converts objects from and to this version; null if only their version changes
 */
public record CustomVersion(
        String definition,
        String definitionVersion,
        @Nullable CustomSchema schema,
        List<JsonNode> columns,
        List<String> selectableFields,
        @Nullable JsonNode scale,
        boolean goes,
        String warning,
        @Nullable Conversion conversion) {
    /** Return a copy of this version whose fields no field selector may name. */
    CustomVersion withoutSelectableFields() {
        return new CustomVersion(
                definition, definitionVersion, schema, columns, List.of(), scale, goes, warning, conversion);
    }
}
