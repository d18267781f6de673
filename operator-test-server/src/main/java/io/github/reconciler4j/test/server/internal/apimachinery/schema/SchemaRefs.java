package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** References between OpenAPI schemas. */
final class SchemaRefs {

    private SchemaRefs() {}

    /** Return the name of the schema that this one refers to, directly or as its only {@code allOf}; else null. */
    static @Nullable String nameIn(JsonNode schema) {
        JsonNode reference = schema.path("$ref");
        if (!reference.isTextual() && schema.path("allOf").size() == 1) {
            reference = schema.path("allOf").path(0).path("$ref");
        }
        if (!reference.isTextual()) {
            return null;
        }
        String path = reference.textValue();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
