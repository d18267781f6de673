package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.ArrayList;
import java.util.List;

/** Collects the errors of one object. For use by one thread. */
final class Findings {
    private final List<FieldError> errors = new ArrayList<>();

    List<FieldError> errors() {
        return errors;
    }

    void invalid(String path, JsonNode value, String detail) {
        errors.add(FieldError.invalid(path, value, detail));
    }

    void invalid(String path, JsonNode value, List<String> details) {
        details.forEach(detail -> invalid(path, value, detail));
    }

    void invalid(String path, String value, String detail) {
        errors.add(FieldError.invalid(path, value, detail));
    }

    void required(String path, String detail) {
        errors.add(FieldError.required(path, detail));
    }

    void forbidden(String path, String detail) {
        errors.add(FieldError.forbidden(path, detail));
    }

    void duplicate(String path, JsonNode value) {
        errors.add(FieldError.duplicate(path, value));
    }

    void oneOf(String path, JsonNode value, String... allowed) {
        if (isSet(value) && !List.of(allowed).contains(value.asText())) {
            errors.add(FieldError.notSupported(path, value, List.of(allowed)));
        }
    }

    void notFound(String path, JsonNode value) {
        errors.add(new FieldError(path, "FieldValueNotFound", "Not found: " + value));
    }

    void tooLong(String path, int max) {
        errors.add(FieldError.tooLong(path, max));
    }

    static boolean isSet(JsonNode value) {
        return !value.isMissingNode()
                && !value.isNull()
                && !(value.isTextual() && value.asText().isEmpty());
    }
}
