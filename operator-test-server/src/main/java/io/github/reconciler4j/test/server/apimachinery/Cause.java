package io.github.reconciler4j.test.server.apimachinery;

/**
 * One cause in the {@code details} of an error {@code Status}. Immutable.
 *
 * @param reason machine-readable reason such as {@code FieldValueInvalid} or {@code FieldManagerConflict}
 * @param message what is wrong, for a person to read
 * @param field path of the field in question such as {@code spec.replicas}; empty when there is none
 * @since 0.1.0
 */
public record Cause(String reason, String message, String field) {}
