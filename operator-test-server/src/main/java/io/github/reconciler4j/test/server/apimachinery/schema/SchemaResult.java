package io.github.reconciler4j.test.server.apimachinery.schema;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What checking a value against a schema found. Errors with the same text count once; the number of checks that passed
 * tells which of several alternatives came closest. Used by one thread.
 */
final class SchemaResult {

    private final Map<String, FieldError> errors = new LinkedHashMap<>();
    private int matches;

    void add(FieldError error) {
        add(error.toString(), error);
    }

    /** Adds an error whose identity is not its text. */
    void add(String identity, FieldError error) {
        errors.putIfAbsent(identity, error);
    }

    /** Adds an error of which the server does not know the field. */
    void addWithoutField(String message) {
        add(new FieldError("<nil>", "FieldValueInvalid", "Invalid value: \"\": " + message));
    }

    void merge(SchemaResult other) {
        other.errors.forEach(errors::putIfAbsent);
        matches += other.matches;
    }

    void countMatch() {
        matches++;
    }

    int matches() {
        return matches;
    }

    boolean isValid() {
        return errors.isEmpty();
    }

    /** Forgets the errors but not the matches. */
    void forgive() {
        errors.clear();
    }

    Collection<FieldError> errors() {
        return errors.values();
    }
}
