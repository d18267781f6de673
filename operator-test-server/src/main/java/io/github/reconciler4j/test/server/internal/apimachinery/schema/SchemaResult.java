package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The errors of a value. Errors with the same text count once. Used by one thread. */
final class SchemaResult {

    private final Map<String, FieldError> errors = new LinkedHashMap<>();

    void add(FieldError error) {
        add(error.toString(), error);
    }

    /** Add an error whose identity is not its text. */
    void add(String identity, FieldError error) {
        errors.putIfAbsent(identity, error);
    }

    /** Add an error of which the server does not know the field. */
    void addWithoutField(String message) {
        add(new FieldError("<nil>", "FieldValueInvalid", "Invalid value: \"\": " + message));
    }

    void merge(SchemaResult other) {
        other.errors.forEach(errors::putIfAbsent);
    }

    boolean isValid() {
        return errors.isEmpty();
    }

    void forgive() {
        errors.clear();
    }

    Collection<FieldError> errors() {
        return errors.values();
    }
}
