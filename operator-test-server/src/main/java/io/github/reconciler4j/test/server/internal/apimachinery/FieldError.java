package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An invalid field, worded like an error of kube-apiserver. Immutable.
 *
 * @param path path of the field such as {@code spec.ports[0].name}; {@code <nil>} where the server knows none
 * @param reason machine-readable reason such as {@code FieldValueInvalid}
 * @param message what is wrong, without the path: {@code Invalid value: 99: must be ...}
 */
public record FieldError(String path, String reason, String message) {

    public static FieldError invalid(String path, JsonNode value, String detail) {
        return of(path, "FieldValueInvalid", "Invalid value: " + spelled(value), detail);
    }

    public static FieldError invalid(String path, String value, String detail) {
        return invalid(path, TextNode.valueOf(value), detail);
    }

    public static FieldError typeInvalid(String path, JsonNode value, String detail) {
        return of(path, "FieldValueTypeInvalid", "Invalid value: " + spelled(value), detail);
    }

    /** Return a value that has to be there and is not. */
    public static FieldError required(String path, String detail) {
        return of(path, "FieldValueRequired", "Required value", detail);
    }

    /** Return a value that may be there only once. */
    public static FieldError duplicate(String path, JsonNode value) {
        return of(path, "FieldValueDuplicate", "Duplicate value: " + spelled(value), "");
    }

    public static FieldError notSupported(String path, JsonNode value, List<String> supported) {
        List<String> quoted = supported.stream().map(FieldError::quoted).toList();
        String detail = quoted.isEmpty() ? "" : "supported values: " + String.join(", ", quoted);
        return of(path, "FieldValueNotSupported", "Unsupported value: " + spelled(value), detail);
    }

    /** Return a value that is well-formed but not allowed here. */
    public static FieldError forbidden(String path, String detail) {
        return of(path, "FieldValueForbidden", "Forbidden", detail);
    }

    public static FieldError tooLong(String path, int max) {
        return of(
                path, "FieldValueTooLong", "Too long", "may not be more than " + max + (max == 1 ? " byte" : " bytes"));
    }

    /** Return a list of {@code actual} items where {@code max} are allowed. */
    public static FieldError tooMany(String path, long actual, long max) {
        String detail = "must have at most " + max + (max == 1 ? " item" : " items");
        return of(path, "FieldValueTooMany", "Too many: " + actual, detail);
    }

    private static FieldError of(String path, String reason, String body, String detail) {
        return new FieldError(path, reason, detail.isEmpty() ? body : body + ": " + detail);
    }

    private static String spelled(JsonNode value) {
        return value.isTextual() ? quoted(value.textValue()) : value.toString();
    }

    /** Return the text in double quotes, with escaped control characters. */
    public static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    /** Return path and message: {@code spec.replicas: Invalid value: 99: must be ...}. */
    @Override
    public String toString() {
        return path + ": " + message;
    }

    /** Joins errors as the server does: one as it is, several as {@code [first, second]} without repetitions. */
    public static String join(List<FieldError> errors) {
        Set<String> texts = new LinkedHashSet<>();
        errors.forEach(error -> texts.add(error.toString()));
        List<String> distinct = new ArrayList<>(texts);
        return distinct.size() == 1 ? distinct.get(0) : "[" + String.join(", ", distinct) + "]";
    }
}
