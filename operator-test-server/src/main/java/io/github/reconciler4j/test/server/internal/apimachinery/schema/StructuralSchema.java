package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The structural schema of a custom resource: prunes, fills in defaults and validates as the API server does it. Version,
 * kind and metadata are not its business. Immutable; safe for use by multiple threads.
 */
public final class StructuralSchema {

    /** Reasons that keep the server from evaluating rules, as these could fail on such objects. */
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");

    private final SchemaNode root;
    private final TypeSchema type;

    private StructuralSchema(SchemaNode root, TypeSchema type) {
        this.root = root;
        this.type = type;
    }

    /**
     * Read a schema.
     *
     * @param openApiV3Schema the {@code schema.openAPIV3Schema} of a version of a definition; it is not changed
     */
    public static StructuralSchema of(JsonNode openApiV3Schema) {
        SchemaNode root = new SchemaNode(openApiV3Schema);
        return new StructuralSchema(root, TypeSchemas.ofCustomResource(openApiV3Schema));
    }

    public JsonNode json() {
        return root.json;
    }

    public TypeSchema typeSchema() {
        return type;
    }

    /**
     * Remove the fields that the schema does not know, and nulls where null is not allowed and no default takes their place.
     * Changes the object.
     *
     * @return the sorted paths of the unknown fields, such as {@code spec.ports[0].foo}; strict field validation reports them as
     *     {@code unknown field "spec.ports[0].foo"}
     */
    public List<String> prune(ObjectNode object) {
        List<String> unknown = Pruner.prune(object, root);
        Defaulter.dropForbiddenNulls(object, root);
        return unknown;
    }

    /** Prune an object and fill in defaults, as decoding it does. Changes the object, and returns the unknown fields. */
    public List<String> reshape(ObjectNode object) {
        List<String> unknown = prune(object);
        addDefaults(object);
        return unknown;
    }

    /** Fill in defaults. Changes the object. */
    public void addDefaults(ObjectNode object) {
        Defaulter.addDefaults(object, root);
    }

    /** Return the errors of a new object. */
    public List<FieldError> validate(JsonNode object) {
        return validate(object, null);
    }

    /**
     * Return the errors of an object.
     *
     * @param old the object before an update: what was wrong in it and has not changed is forgiven, and rules may compare
     *     with it; null for a new object
     */
    public List<FieldError> validate(JsonNode object, @Nullable JsonNode old) {
        Correlation before = old == null ? null : new Correlation(object, old, root);
        FieldErrors errors = new FieldErrors();
        errors.addAll(SchemaValidator.validate(object, root, "", before).errors());
        if (old == null || ListChecks.check(old, root).isEmpty()) {
            errors.addAll(ListChecks.check(object, root));
        }
        return errors;
    }

    /**
     * Return the errors of an object after an update of its status, which checks only the status.
     */
    public List<FieldError> validateStatus(JsonNode object, JsonNode old) {
        FieldErrors errors = new FieldErrors();
        SchemaNode status = root.field("status");
        JsonNode value = object.get("status");
        if (status != null && value != null) {
            Correlation before = new Correlation(object, old, root).field("status");
            for (FieldError error :
                    SchemaValidator.validate(value, status, "", before).errors()) {
                // the server validates the status on its own and only then says where it belongs
                String field = error.path().equals("<nil>") ? "status" : "status." + error.path();
                errors.add(new FieldError(field, error.reason(), error.message()));
            }
        }
        if (ListChecks.check(old, root).isEmpty()) {
            errors.addAll(ListChecks.check(object, root));
        }
        return errors;
    }

    /** Return the note that the server adds when rules were not evaluated because of other errors; else null. */
    public static @Nullable FieldError blockedRules(List<FieldError> errors) {
        boolean blocked = errors.stream().anyMatch(error -> BLOCKING.contains(error.reason()));
        return !blocked
                ? null
                : FieldError.invalid(
                        "<nil>",
                        NullNode.getInstance(),
                        "some validation rules were not checked because the object was invalid; correct the existing"
                                + " errors to complete validation");
    }

    /** Fills in defaults and drops nulls that may not be there. Changes the trees given to it. */
    private static final class Defaulter {

        private Defaulter() {}

        /** Add defaults for fields that are missing, or null where null is not allowed. */
        static void addDefaults(JsonNode node, @Nullable SchemaNode schema) {
            if (schema == null) {
                return;
            }
            if (node instanceof ObjectNode object) {
                for (Map.Entry<String, SchemaNode> property : schema.properties.entrySet()) {
                    JsonNode value = object.get(property.getKey());
                    JsonNode defaultValue = property.getValue().defaultValue;
                    if (defaultValue != null && (value == null || isForbiddenNull(value, property.getValue()))) {
                        object.set(property.getKey(), defaultValue.deepCopy());
                    }
                }
                for (String name : Pruner.names(object)) {
                    SchemaNode field = schema.field(name);
                    if (field != null
                            && field == schema.additionalProperties
                            && isForbiddenNull(object.get(name), field)) {
                        object.set(name, copyOf(field.defaultValue));
                    }
                    addDefaults(object.path(name), field);
                }
            } else if (node instanceof ArrayNode list) {
                for (int i = 0; i < list.size(); i++) {
                    if (schema.items != null && isForbiddenNull(list.get(i), schema.items)) {
                        list.set(i, copyOf(schema.items.defaultValue));
                    }
                    addDefaults(list.path(i), schema.items);
                }
            }
        }

        private static JsonNode copyOf(@Nullable JsonNode value) {
            return value == null ? NullNode.getInstance() : value.deepCopy();
        }

        private static boolean isForbiddenNull(JsonNode value, SchemaNode schema) {
            return value.isNull() && !schema.nullable;
        }

        /** Drop null fields where null is not allowed and no default takes their place. */
        static void dropForbiddenNulls(JsonNode node, @Nullable SchemaNode schema) {
            if (node instanceof ObjectNode object) {
                for (String name : Pruner.names(object)) {
                    SchemaNode field = schema == null ? null : schema.field(name);
                    JsonNode value = object.path(name);
                    if (field != null && isForbiddenNull(value, field) && field.defaultValue == null) {
                        object.remove(name);
                    } else {
                        dropForbiddenNulls(value, field);
                    }
                }
            } else {
                node.forEach(item -> dropForbiddenNulls(item, schema == null ? null : schema.items));
            }
        }
    }

    /** Creates types for merging from the schemas of custom resources. Safe for use by multiple threads. */
    private static final class TypeSchemas {

        private static final TypeSchemaReader READER =
                new TypeSchemaReader(name -> BuiltInTypes.get().schemas().get(name), false);

        private TypeSchemas() {}

        /**
         * Return the type of a custom resource.
         *
         * @param openApiV3Schema the {@code schema.openAPIV3Schema} of a version of its definition; it is not changed
         */
        public static TypeSchema ofCustomResource(JsonNode openApiV3Schema) {
            ObjectNode schema = openApiV3Schema.deepCopy();
            addObjectFields(schema);
            return READER.read(schema);
        }

        /** Add version, kind and metadata to a resource, and to the resources embedded in it. */
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
}
