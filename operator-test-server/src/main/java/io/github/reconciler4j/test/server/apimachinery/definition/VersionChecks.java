package io.github.reconciler4j.test.server.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.List;

/** Checks what a definition says about each of its versions. */
final class VersionChecks {
    private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

    private VersionChecks() {}

    static void check(JsonNode spec, FieldErrors errors) {
        JsonNode versions = spec.path("versions");
        for (int i = 0; i < versions.size(); i++) {
            JsonNode version = versions.path(i);
            String path = "spec.versions[" + i + "].";
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            if (!schema.isObject()) {
                errors.required(path + "schema.openAPIV3Schema", "");
            } else if (!isCommon(versions, "schema")) {
                SchemaChecks.check(schema, path + "schema.openAPIV3Schema", errors);
            } else if (i == 0) {
                SchemaChecks.check(schema, "spec.validation.openAPIV3Schema", errors);
            }
            checkCommon(versions, i, "subresources", errors);
            checkCommon(versions, i, "additionalPrinterColumns", errors);
            checkCommon(versions, i, "selectableFields", errors);
        }
    }

    /** The server moves what all versions have in common to the top before it checks it. */
    private static boolean isCommon(JsonNode versions, String field) {
        JsonNode first = versions.path(0).path(field);
        for (JsonNode version : versions) {
            if (!Trees.equal(first, version.path(field))) {
                return false;
            }
        }
        return true;
    }

    private static void checkCommon(JsonNode versions, int index, String field, FieldErrors errors) {
        boolean common = isCommon(versions, field);
        if (common && index > 0) {
            return;
        }
        JsonNode version = versions.path(index);
        JsonNode value = version.path(field);
        String path = common ? "spec." + field : "spec.versions[" + index + "]." + field;
        switch (field) {
            case "subresources" -> {
                if (value.has("scale")) {
                    checkScale(value.path("scale"), path + ".scale", errors);
                }
            }
            case "additionalPrinterColumns" -> {
                for (int i = 0; i < value.size(); i++) {
                    checkColumn(value.path(i), path + "[" + i + "]", errors);
                }
            }
            default -> {
                JsonNode schema = version.path("schema").path("openAPIV3Schema");
                for (int i = 0; i < value.size(); i++) {
                    checkSelectable(value.path(i), schema, path + "[" + i + "].jsonPath", errors);
                }
            }
        }
    }

    private static void checkScale(JsonNode scale, String path, FieldErrors errors) {
        checkPath(scale.path("specReplicasPath").asText(), path + ".specReplicasPath", ".spec.", "under .spec", errors);
        checkPath(
                scale.path("statusReplicasPath").asText(),
                path + ".statusReplicasPath",
                ".status.",
                "under .status",
                errors);
        String selector = scale.path("labelSelectorPath").asText();
        if (!selector.isEmpty()) {
            String field = path + ".labelSelectorPath";
            if (!selector.startsWith(".")) {
                errors.invalid(field, selector, "must be a simple json path starting with .");
            } else if (!selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
                errors.invalid(field, selector, "should be a json path under either .status or .spec");
            }
        }
    }

    private static void checkPath(String value, String field, String prefix, String where, FieldErrors errors) {
        if (value.isEmpty()) {
            errors.required(field, "");
        } else if (!value.startsWith(".")) {
            errors.invalid(field, value, "must be a simple json path starting with .");
        } else if (!value.startsWith(prefix)) {
            errors.invalid(field, value, "should be a json path " + where);
        }
    }

    private static void checkColumn(JsonNode column, String path, FieldErrors errors) {
        if (column.path("name").asText().isEmpty()) {
            errors.required(path + ".name", "");
        }
        String type = column.path("type").asText();
        String types = "must be one of " + String.join(",", TYPES);
        if (type.isEmpty()) {
            errors.required(path + ".type", types);
        } else if (!TYPES.contains(type)) {
            errors.invalid(path + ".type", type, types);
        }
        String format = column.path("format").asText();
        if (!format.isEmpty() && !FORMATS.contains(format)) {
            errors.invalid(path + ".format", format, "must be one of " + String.join(",", FORMATS));
        }
        String json = column.path("jsonPath").asText();
        if (json.isEmpty()) {
            errors.required(path + ".JSONPath", "");
        } else if (!json.startsWith(".")) {
            errors.invalid(path + ".JSONPath", json, "must be a simple json path starting with .");
        }
    }

    private static void checkSelectable(JsonNode field, JsonNode schema, String path, FieldErrors errors) {
        String json = field.path("jsonPath").asText();
        if (json.isEmpty()) {
            errors.required(path, "");
            return;
        }
        JsonNode found = schema;
        for (String step : json.substring(1).split("\\.")) {
            found = found.path("properties").path(step);
        }
        if (found.isMissingNode() || json.startsWith(".metadata.")) {
            errors.invalid(path, json, "is an invalid path: does not refer to a valid field");
        } else if (!List.of("string", "boolean", "integer")
                .contains(found.path("type").asText())) {
            errors.invalid(
                    path,
                    json,
                    "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                            + " formats are allowed.");
        }
    }
}
