package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks version and kind of resources that are embedded in others. Safe for use by many threads. */
final class EmbeddedChecks {

    private EmbeddedChecks() {}

    /** Returns what is wrong with the resources that a tree embeds. */
    static List<FieldError> check(JsonNode tree, SchemaNode schema) {
        FieldErrors errors = new FieldErrors();
        check(tree, schema, "", errors);
        return errors;
    }

    private static void check(JsonNode node, @Nullable SchemaNode schema, String path, FieldErrors errors) {
        if (schema == null) {
            return;
        }
        if (node.isObject()) {
            if (schema.embeddedResource) {
                checkResource(node, path, errors);
            }
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                boolean declared = schema.properties.containsKey(field.getKey());
                String child = declared ? child(path, field.getKey()) : path + "[" + field.getKey() + "]";
                check(field.getValue(), schema.field(field.getKey()), child, errors);
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                check(node.get(i), schema.items, path + "[" + i + "]", errors);
            }
        }
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static void checkResource(JsonNode resource, String path, FieldErrors errors) {
        JsonNode version = text(resource, path, "apiVersion", errors);
        if (version != null && version.textValue().chars().filter(c -> c == '/').count() > 1) {
            errors.invalid(
                    child(path, "apiVersion"), version, "unexpected GroupVersion string: " + version.textValue());
        }
        JsonNode kind = text(resource, path, "kind", errors);
        if (kind != null) {
            List<String> problems = Names.dns1035Label(kind.textValue().toLowerCase(Locale.ROOT));
            if (!problems.isEmpty()) {
                String detail = "may have mixed case, but should otherwise match: " + String.join(",", problems);
                errors.invalid(child(path, "kind"), kind, detail);
            }
        }
        JsonNode metadata = resource.path("metadata");
        if (!metadata.isMissingNode() && !metadata.isObject() && !metadata.isNull()) {
            errors.invalid(
                    child(path, "metadata"),
                    metadata,
                    "json: cannot unmarshal " + Trees.jsonType(metadata) + " into Go value of type v1.ObjectMeta");
        }
    }

    private static @Nullable JsonNode text(JsonNode resource, String path, String name, FieldErrors errors) {
        JsonNode value = resource.get(name);
        String field = child(path, name);
        if (value == null) {
            errors.required(field, "");
        } else if (!value.isTextual()) {
            errors.invalid(field, value, "must be a string");
        } else if (value.textValue().isEmpty()) {
            errors.add(new FieldError(
                    field, "FieldValueInvalid", "Invalid value: " + FieldError.quoted("") + ": must not be empty"));
        } else {
            return value;
        }
        return null;
    }
}
