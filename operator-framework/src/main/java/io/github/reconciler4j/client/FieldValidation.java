package io.github.reconciler4j.client;

/**
 * How the API server handles unknown and duplicate fields of a write.
 *
 * @since 0.1.0
 */
public enum FieldValidation {
    /** Drop them silently. */
    IGNORE("Ignore"),
    /** Drop them and warn. */
    WARN("Warn"),
    /** Refuse the request. */
    STRICT("Strict");

    private final String parameter;

    FieldValidation(String parameter) {
        this.parameter = parameter;
    }

    /** Return the value of the query parameter. */
    public String parameter() {
        return parameter;
    }
}
