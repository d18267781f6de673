package io.github.reconciler4j.test.server.internal.error;

import io.github.reconciler4j.test.server.apimachinery.GoFormat;

/**
 * One cause inside a {@code Status}: which field is wrong, and why.
 *
 * @param reason the machine-readable kind of cause, such as {@code FieldValueInvalid}
 * @param message the sentence for people
 * @param field the path of the field, such as {@code spec.replicas}
 * @since 0.1.0
 */
public record StatusCause(String reason, String message, String field) {
    /** A value that is there but not allowed; {@code shown} is the value as the server prints it. */
    public static StatusCause invalid(String field, String shown, String detail) {
        return new StatusCause("FieldValueInvalid", "Invalid value: " + shown + ": " + detail, field);
    }

    /** A missing value. */
    public static StatusCause required(String field, String detail) {
        return new StatusCause("FieldValueRequired", "Required value" + (detail.isEmpty() ? "" : ": " + detail), field);
    }

    /** A value that may not be set, or not be changed. */
    public static StatusCause forbidden(String field, String detail) {
        return new StatusCause("FieldValueForbidden", "Forbidden: " + detail, field);
    }

    /** A string shown as the server prints it: in double quotes, escaped. */
    public static String quoted(String value) {
        return GoFormat.quoted(value);
    }
}
