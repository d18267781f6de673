package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.CelRules;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;

/** Checks that a schema is structural, and otherwise in order. Used by one thread. */
final class SchemaChecks {
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> STRUCTURE = List.of(
            "type",
            "description",
            "title",
            "default",
            "nullable",
            "additionalProperties",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string");
    private static final String SET = "set";

    private final FieldErrors errors;

    private SchemaChecks(FieldErrors errors) {
        this.errors = errors;
    }

    static void check(JsonNode schema, String path, FieldErrors errors) {
        int before = errors.size();
        SchemaChecks checks = new SchemaChecks(errors);
        checks.root(schema, path);
        checks.node(schema, path, "must not be empty at the root");
        if (errors.size() == before) {
            RuleForms.check(schema, path, errors);
        }
        if (errors.size() == before) {
            CelRules.compile(schema, path, errors);
        }
    }

    private void root(JsonNode schema, String path) {
        String type = schema.path("type").asText();
        if (!type.isEmpty() && !type.equals("object")) {
            errors.invalid(path + ".type", type, "must be object at the root");
        }
        JsonNode metadata = schema.path("properties").path("metadata");
        if (!metadata.isObject()) {
            return;
        }
        String at = path + ".properties[metadata]";
        if (!metadata.path("type").asText().equals("object")) {
            errors.invalid(at + ".type", metadata.path("type").asText(), "must be object");
        }
        if (metadata.has("default")) {
            errors.forbidden(at + ".default", "must not be set in top-level metadata");
        }
        metadata.path("properties").fieldNames().forEachRemaining(name -> {
            if (!name.equals("name") && !name.equals("generateName")) {
                errors.forbidden(
                        at,
                        "must not specify anything other than name and generateName, but metadata is implicitly specified");
            }
        });
    }

    private void node(JsonNode schema, String path, String missingType) {
        type(schema, path, missingType);
        keywords(schema, path);
        extensions(schema, path);
        ListTypeChecks.check(schema, path, errors);
        if (schema.has("default") && !path.endsWith("openAPIV3Schema.properties[metadata]")) {
            defaults(schema, path + ".default");
        }
        for (String junctor : List.of("allOf", "anyOf", "oneOf")) {
            for (int i = 0; i < schema.path(junctor).size(); i++) {
                values(schema.path(junctor).path(i), schema, path + "." + junctor + "[" + i + "]");
            }
        }
        if (schema.path("not").isObject()) {
            values(schema.path("not"), schema, path + ".not");
        }
        schema.path("properties")
                .properties()
                .forEach(property -> node(
                        property.getValue(),
                        path + ".properties[" + property.getKey() + "]",
                        "must not be empty for specified object fields"));
        if (schema.path("additionalProperties").isObject()) {
            String at = path + ".additionalProperties";
            node(schema.path("additionalProperties"), at, "must not be empty for specified object fields");
        }
        if (schema.path("items").isObject()) {
            node(schema.path("items"), path + ".items", "must not be empty for specified array items");
        }
    }

    private void type(JsonNode schema, String path, String missing) {
        String type = schema.path("type").asText();
        boolean open = schema.path("x-kubernetes-int-or-string").asBoolean()
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        if (type.isEmpty() && !open) {
            errors.required(path + ".type", missing);
        } else if (!type.isEmpty() && !TYPES.contains(type)) {
            errors.notSupported(path + ".type", schema.path("type"), TYPES);
        }
        if (type.equals("array") && !schema.has("items")) {
            errors.required(path + ".items", "must be specified");
        }
        if (schema.path("items").isArray()) {
            errors.forbidden(path + ".items", "items must be a schema object and not an array");
        }
        if (schema.path("additionalProperties").isObject() && schema.has("properties")) {
            errors.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
        }
    }

    private void keywords(JsonNode schema, String path) {
        if (schema.has("$ref")) {
            errors.forbidden(path + ".$ref", "$ref is not supported");
        }
        if (schema.path("uniqueItems").asBoolean()) {
            errors.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        String pattern = schema.path("pattern").asText();
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            errors.invalid(
                    path + ".pattern",
                    pattern,
                    "must be a valid regular expression, but isn't: error parsing regexp: " + e.getDescription() + ": `"
                            + e.getPattern() + "`");
        }
    }

    private void extensions(JsonNode schema, String path) {
        String preserve = "x-kubernetes-preserve-unknown-fields";
        if (schema.has(preserve) && !schema.path(preserve).asBoolean()) {
            errors.invalid(path + "." + preserve, schema.path(preserve), "must be true or undefined");
        }
        if (schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            if (!schema.path("type").asText().equals("object")) {
                String type = schema.path("type").asText();
                errors.invalid(path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
            }
            if (schema.path("properties").isEmpty() && !schema.path(preserve).asBoolean()) {
                errors.required(
                        path + ".properties",
                        "must not be empty if x-kubernetes-embedded-resource is true without " + preserve);
            }
        }
    }

    private void defaults(JsonNode schema, String path) {
        JsonNode value = schema.path("default");
        if (value.isNull()) {
            return;
        }
        StructuralSchema structural = StructuralSchema.of(schema);
        if (value.isObject() && !structural.prune(value.deepCopy()).isEmpty()) {
            errors.invalid(path, value, "must not have unknown fields");
            return;
        }
        for (FieldError error : structural.validate(value)) {
            String at = error.path().equals("<nil>") ? path : path + "." + error.path();
            errors.add(new FieldError(at, error.reason(), error.message()));
        }
    }

    /** Check a part of a schema that may restrict values but not say anything about structure. */
    private void values(JsonNode schema, JsonNode parent, String path) {
        boolean either = parent.path("x-kubernetes-int-or-string").asBoolean();
        for (String field : STRUCTURE) {
            boolean allowed = either && field.equals("type");
            if (schema.has(field) && !allowed) {
                errors.forbidden(path + "." + field, "must be empty to be structural");
            }
        }
        schema.path("properties")
                .properties()
                .forEach(property -> values(
                        property.getValue(), NullNode.getInstance(), path + ".properties[" + property.getKey() + "]"));
        if (schema.path("items").isObject()) {
            values(schema.path("items"), NullNode.getInstance(), path + ".items");
        }
        for (String junctor : List.of("allOf", "anyOf", "oneOf")) {
            for (int i = 0; i < schema.path(junctor).size(); i++) {
                values(schema.path(junctor).path(i), parent, path + "." + junctor + "[" + i + "]");
            }
        }
    }

    /** The lists and maps that are merged in a way of their own. */
    private static final class ListTypeChecks {
        private ListTypeChecks() {}

        static void check(JsonNode schema, String path, FieldErrors errors) {
            String type = schema.path("type").asText();
            if (schema.has("x-kubernetes-map-type")) {
                String mapType = schema.path("x-kubernetes-map-type").asText();
                if (!type.equals("object")) {
                    errors.invalid(path + ".type", type, "must be object if x-kubernetes-map-type is specified");
                }
                if (!mapType.equals("atomic") && !mapType.equals("granular")) {
                    errors.notSupported(
                            path + ".x-kubernetes-map-type",
                            schema.path("x-kubernetes-map-type"),
                            List.of("atomic", "granular"));
                }
            }
            if (schema.has("x-kubernetes-list-type")) {
                if (!type.equals("array")) {
                    errors.invalid(path + ".type", type, "must be array if x-kubernetes-list-type is specified");
                }
                list(schema, path, errors);
            }
        }

        private static void list(JsonNode schema, String path, FieldErrors errors) {
            JsonNode items = schema.path("items");
            switch (schema.path("x-kubernetes-list-type").asText()) {
                case "atomic" -> {}
                case SET -> {
                    boolean atomic =
                            items.path("x-kubernetes-map-type").asText().equals("atomic");
                    if (items.path("type").asText().equals("object") && !atomic) {
                        errors.add(
                                new FieldError(
                                        path + ".items.x-kubernetes-map-type",
                                        "FieldValueInvalid",
                                        "Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set"));
                    }
                }
                case "map" -> map(schema, items, path, errors);
                default ->
                    errors.notSupported(
                            path + ".x-kubernetes-list-type",
                            schema.path("x-kubernetes-list-type"),
                            List.of("atomic", SET, "map"));
            }
        }

        private static void map(JsonNode schema, JsonNode items, String path, FieldErrors errors) {
            String field = path + ".x-kubernetes-list-map-keys";
            JsonNode keys = schema.path("x-kubernetes-list-map-keys");
            if (keys.isEmpty()) {
                errors.required(field, "must not be empty if x-kubernetes-list-type is map");
            }
            List<String> required = new ArrayList<>();
            items.path("required").forEach(name -> required.add(name.asText()));
            for (JsonNode key : keys) {
                JsonNode property = items.path("properties").path(key.asText());
                if (property.isMissingNode()) {
                    errors.invalid(field, keys, "entries must all be names of item properties");
                } else if (!property.has("default") && !required.contains(key.asText())) {
                    errors.required(
                            path + ".items.properties[" + key.asText() + "].default",
                            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                    + " property");
                }
            }
        }
    }

    /** Checks the fields of validation rules, before the rules themselves are compiled. */
    private static final class RuleForms {
        private static final List<String> REASONS =
                List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

        private RuleForms() {}

        static void check(JsonNode schema, String path, FieldErrors errors) {
            check(schema, path, "", errors);
        }

        /** {@code unstable} is the path of the nearest list or map whose items cannot be correlated between updates, may be empty. */
        private static void check(JsonNode schema, String path, String unstable, FieldErrors errors) {
            JsonNode rules = schema.path("x-kubernetes-validations");
            for (int i = 0; i < rules.size(); i++) {
                JsonNode rule = rules.path(i);
                String at = path + ".x-kubernetes-validations[" + i + "]";
                checkRule(rule, at, errors);
                checkPath(rule.path("fieldPath").asText(), schema, at, errors);
                if (!unstable.isEmpty() && rule.path("rule").asText().matches("(?s).*\\boldSelf\\b.*")) {
                    errors.invalid(
                            at + ".rule",
                            rule.path("rule"),
                            "oldSelf cannot be used on the uncorrelatable portion of the schema within " + unstable);
                }
            }
            schema.path("properties")
                    .properties()
                    .forEach(property -> check(
                            property.getValue(), path + ".properties[" + property.getKey() + "]", unstable, errors));
            if (schema.path("additionalProperties").isObject()) {
                check(schema.path("additionalProperties"), path + ".additionalProperties", unstable, errors);
            }
            if (schema.path("items").isObject()) {
                boolean keyed = schema.path("x-kubernetes-list-type").asText().equals("map");
                check(schema.path("items"), path + ".items", keyed || !unstable.isEmpty() ? unstable : path, errors);
            }
        }

        private static void checkRule(JsonNode rule, String at, FieldErrors errors) {
            if (rule.path("rule").asText().isBlank()) {
                errors.required(at + ".rule", "rule is not specified");
            }
            String message = rule.path("message").asText();
            if (message.contains("\n")) {
                errors.invalid(at + ".message", message, "must not contain line breaks");
            } else if (!message.isEmpty() && message.isBlank()) {
                errors.invalid(at + ".message", message, "must be non-empty if specified");
            }
            String reason = rule.path("reason").asText("FieldValueInvalid");
            if (!REASONS.contains(reason)) {
                errors.notSupported(at + ".reason", rule.path("reason"), REASONS);
            }
        }

        private static void checkPath(String fieldPath, JsonNode schema, String at, FieldErrors errors) {
            if (fieldPath.isEmpty()) {
                return;
            }
            JsonNode found = schema;
            for (String step :
                    fieldPath.replaceAll("\\['([^']*)'\\]", ".$1").substring(1).split("\\.")) {
                JsonNode declared = found.path("properties").path(step);
                found = declared.isMissingNode() ? found.path("additionalProperties") : declared;
            }
            if (!found.isObject()) {
                errors.invalid(at + ".fieldPath", fieldPath, "must be a valid path");
            }
        }
    }
}
