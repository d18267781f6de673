package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node of the schema of a custom resource, read from JSON. Value validations that have no effect on anything else are
 * read from {@link #json} when they are needed. Immutable; safe for use by multiple threads.
 */
final class SchemaNode {

    private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

    final JsonNode json;
    final List<String> types;
    final String format;
    final boolean nullable;
    final boolean preserveUnknownFields;
    final boolean embeddedResource;
    final boolean intOrString;
    final String listType;
    final List<String> listMapKeys;
    final List<String> required;
    final @Nullable JsonNode defaultValue;
    final Map<String, SchemaNode> properties;
    final @Nullable SchemaNode additionalProperties;
    final @Nullable SchemaNode items;
    final List<SchemaNode> allOf;
    final List<SchemaNode> anyOf;
    final List<SchemaNode> oneOf;
    final @Nullable SchemaNode not;

    SchemaNode(JsonNode json) {
        this.json = json;
        this.intOrString = json.path("x-kubernetes-int-or-string").asBoolean();
        this.types = types(json.path("type").asText(), intOrString);
        this.format = Formats.supported(types, json.path("format").asText());
        this.nullable = json.path("nullable").asBoolean();
        this.preserveUnknownFields = json.path(PRESERVE).asBoolean();
        this.embeddedResource = json.path("x-kubernetes-embedded-resource").asBoolean();
        this.listType = json.path("x-kubernetes-list-type").asText();
        this.listMapKeys = texts(json.path("x-kubernetes-list-map-keys"));
        this.required = texts(json.path("required"));
        JsonNode value = json.get("default");
        this.defaultValue = value == null || value.isNull() ? null : value;
        this.properties = properties(json.path("properties"));
        this.additionalProperties = child(json.path("additionalProperties"));
        this.items = child(json.path("items"));
        this.allOf = children(json.path("allOf"));
        this.anyOf = children(json.path("anyOf"));
        this.oneOf = children(json.path("oneOf"));
        this.not = child(json.path("not"));
    }

    private static List<String> types(String type, boolean intOrString) {
        if (intOrString) {
            return List.of("integer", "string");
        }
        return type.isEmpty() ? List.of() : List.of(type);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }

    private static Map<String, SchemaNode> properties(JsonNode json) {
        Map<String, SchemaNode> properties = new LinkedHashMap<>();
        json.properties().forEach(field -> properties.put(field.getKey(), new SchemaNode(field.getValue())));
        return properties;
    }

    private static @Nullable SchemaNode child(JsonNode json) {
        return json.isObject() ? new SchemaNode(json) : null;
    }

    private static List<SchemaNode> children(JsonNode list) {
        List<SchemaNode> children = new ArrayList<>();
        list.forEach(schema -> children.add(new SchemaNode(schema)));
        return List.copyOf(children);
    }

    /** Return the schema of a field, declared or not, or null. */
    @Nullable
    SchemaNode field(String name) {
        SchemaNode declared = properties.get(name);
        return declared == null ? additionalProperties : declared;
    }

    boolean forbidsOtherFields() {
        JsonNode others = json.path("additionalProperties");
        return others.isBoolean() && !others.booleanValue();
    }

    boolean allowsAnyField() {
        return json.path("additionalProperties").asBoolean();
    }

    /** Return a number of the schema such as {@code maximum}, or null. */
    @Nullable
    JsonNode number(String keyword) {
        JsonNode value = json.get(keyword);
        return value != null && value.isNumber() ? value : null;
    }
}
