package io.github.reconciler4j.client;

/**
 * What the API server does about unknown and doubled fields in what it is sent.
 *
 * @since 0.1.0
 */
public enum FieldValidation {
    /** Drops them without a word. */
    IGNORE("Ignore"),
    /** Drops them and warns. */
    WARN("Warn"),
    /** Refuses the request. */
    STRICT("Strict");

    private final String parameter;

    FieldValidation(String parameter) {
        this.parameter = parameter;
    }

    /** The value of the query parameter. */
    public String parameter() {
        return parameter;
    }
}
