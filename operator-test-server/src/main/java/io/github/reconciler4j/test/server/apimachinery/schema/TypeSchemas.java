package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;

/**
 * Makes types for merging from the schemas of custom resources. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class TypeSchemas {

    private static final TypeSchemaReader READER =
            new TypeSchemaReader(name -> BuiltInTypes.get().schemas().get(name), false);

    private TypeSchemas() {}

    /**
     * Returns the type of a custom resource.
     *
     * @param openApiV3Schema the {@code schema.openAPIV3Schema} of a version of its definition; it is not changed
     */
    public static TypeSchema ofCustomResource(JsonNode openApiV3Schema) {
        ObjectNode schema = openApiV3Schema.deepCopy();
        addObjectFields(schema);
        return READER.read(schema);
    }

    /** Adds version, kind and metadata to a resource, and to the resources embedded in it. */
    private static void addObjectFields(ObjectNode schema) {
        ObjectNode properties = schema.withObjectProperty("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.putObject("metadata").put("$ref", "#/components/schemas/" + BuiltInTypes.OBJECT_META);
        addToEmbedded(schema);
    }

    private static void addToEmbedded(JsonNode schema) {
        for (JsonNode property : schema.path("properties")) {
            addToEmbeddedSchema(property);
        }
        addToEmbeddedSchema(schema.path("items"));
        addToEmbeddedSchema(schema.path("additionalProperties"));
    }

    private static void addToEmbeddedSchema(JsonNode schema) {
        if (schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            addObjectFields((ObjectNode) schema);
        } else if (schema.isObject()) {
            addToEmbedded(schema);
        }
    }
}
