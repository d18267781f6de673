package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import org.jspecify.annotations.Nullable;

/** {@code allOf}, {@code anyOf}, {@code oneOf} and {@code not}. Safe for use by many threads. */
final class Combinations {

    private Combinations() {}

    static SchemaResult check(JsonNode value, SchemaNode schema, String path, @Nullable Correlation before) {
        SchemaResult result = new SchemaResult();
        checkAnyOf(value, schema, path, before, result);
        checkOneOf(value, schema, path, before, result);
        checkAllOf(value, schema, path, before, result);
        if (schema.not != null
                && SchemaValidator.validate(value, schema.not, path, before).isValid()) {
            result.addWithoutField(FieldError.quoted(path) + " must not validate the schema (not)");
        }
        result.countMatch();
        return result;
    }

    private static void checkAnyOf(
            JsonNode value, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
        SchemaResult closest = null;
        for (SchemaNode option : schema.anyOf) {
            SchemaResult found = SchemaValidator.validate(value, option, path, before);
            if (found.isValid()) {
                result.merge(found);
                return;
            }
            closest = closer(closest, found);
        }
        if (closest != null) {
            result.addWithoutField(FieldError.quoted(path) + " must validate at least one schema (anyOf)");
            result.merge(closest);
        }
    }

    private static SchemaResult closer(@Nullable SchemaResult closest, SchemaResult found) {
        return closest == null || found.matches() > closest.matches() ? found : closest;
    }

    private static void checkOneOf(
            JsonNode value, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
        if (schema.oneOf.isEmpty()) {
            return;
        }
        SchemaResult closest = null;
        SchemaResult valid = null;
        int count = 0;
        for (SchemaNode option : schema.oneOf) {
            SchemaResult found = SchemaValidator.validate(value, option, path, before);
            if (found.isValid()) {
                valid = count++ == 0 ? found : valid;
            } else {
                closest = closer(closest, found);
            }
        }
        if (count == 1 && valid != null) {
            result.merge(valid);
            return;
        }
        String reason = count == 0 ? "Found none valid" : "Found " + count + " valid alternatives";
        result.addWithoutField(FieldError.quoted(path) + " must validate one and only one schema (oneOf). " + reason);
        if (count == 0 && closest != null) {
            result.merge(closest);
        }
    }

    private static void checkAllOf(
            JsonNode value, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
        int valid = 0;
        for (SchemaNode part : schema.allOf) {
            SchemaResult found = SchemaValidator.validate(value, part, path, before);
            valid += found.isValid() ? 1 : 0;
            result.merge(found);
        }
        if (valid != schema.allOf.size()) {
            String reason = valid == 0 ? ". None validated" : "";
            result.addWithoutField(FieldError.quoted(path) + " must validate all the schemas (allOf)" + reason);
        }
    }
}
