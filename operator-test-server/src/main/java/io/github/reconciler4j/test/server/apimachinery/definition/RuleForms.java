package io.github.reconciler4j.test.server.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.List;

/** Checks the fields of validation rules, before the rules themselves are compiled. */
final class RuleForms {
    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

    private RuleForms() {}

    static void check(JsonNode schema, String path, List<FieldError> errors) {
        check(schema, path, "", errors);
    }

    /** {@code unstable} is the nearest list or map whose items cannot be told apart over time; empty for none. */
    private static void check(JsonNode schema, String path, String unstable, List<FieldError> errors) {
        JsonNode rules = schema.path("x-kubernetes-validations");
        for (int i = 0; i < rules.size(); i++) {
            JsonNode rule = rules.path(i);
            String at = path + ".x-kubernetes-validations[" + i + "]";
            checkRule(rule, at, errors);
            checkPath(rule.path("fieldPath").asText(), schema, at, errors);
            if (!unstable.isEmpty() && rule.path("rule").asText().matches("(?s).*\\boldSelf\\b.*")) {
                errors.add(FieldError.invalid(
                        at + ".rule",
                        rule.path("rule"),
                        "oldSelf cannot be used on the uncorrelatable portion of the schema within " + unstable));
            }
        }
        schema.path("properties")
                .properties()
                .forEach(property ->
                        check(property.getValue(), path + ".properties[" + property.getKey() + "]", unstable, errors));
        if (schema.path("additionalProperties").isObject()) {
            check(schema.path("additionalProperties"), path + ".additionalProperties", unstable, errors);
        }
        if (schema.path("items").isObject()) {
            boolean keyed = schema.path("x-kubernetes-list-type").asText().equals("map");
            check(schema.path("items"), path + ".items", keyed || !unstable.isEmpty() ? unstable : path, errors);
        }
    }

    private static void checkRule(JsonNode rule, String at, List<FieldError> errors) {
        if (rule.path("rule").asText().isBlank()) {
            errors.add(FieldError.required(at + ".rule", "rule is not specified"));
        }
        String message = rule.path("message").asText();
        if (message.contains("\n")) {
            errors.add(FieldError.invalid(at + ".message", message, "must not contain line breaks"));
        } else if (!message.isEmpty() && message.isBlank()) {
            errors.add(FieldError.invalid(at + ".message", message, "must be non-empty if specified"));
        }
        String reason = rule.path("reason").asText("FieldValueInvalid");
        if (!REASONS.contains(reason)) {
            errors.add(FieldError.notSupported(at + ".reason", rule.path("reason"), REASONS));
        }
    }

    private static void checkPath(String fieldPath, JsonNode schema, String at, List<FieldError> errors) {
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
            errors.add(FieldError.invalid(at + ".fieldPath", fieldPath, "must be a valid path"));
        }
    }
}
