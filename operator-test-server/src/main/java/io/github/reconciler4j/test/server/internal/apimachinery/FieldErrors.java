package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** The errors that a validation finds. For use by one thread. */
public final class FieldErrors extends AbstractList<FieldError> {
    private final List<FieldError> errors = new ArrayList<>();

    @Override
    public FieldError get(int index) {
        return errors.get(index);
    }

    @Override
    public int size() {
        return errors.size();
    }

    @Override
    public void add(int index, FieldError error) {
        errors.add(index, error);
    }

    public void invalid(String path, JsonNode value, String detail) {
        add(FieldError.invalid(path, value, detail));
    }

    public void invalid(String path, String value, String detail) {
        add(FieldError.invalid(path, value, detail));
    }

    /** Add a text once for each of its problems. */
    public void invalid(String path, String value, List<String> problems) {
        problems.forEach(problem -> invalid(path, value, problem));
    }

    public void required(String path, String detail) {
        add(FieldError.required(path, detail));
    }

    /** Add a value that is not allowed here. */
    public void forbidden(String path, String detail) {
        add(FieldError.forbidden(path, detail));
    }

    public void duplicate(String path, JsonNode value) {
        add(FieldError.duplicate(path, value));
    }

    /** Add a reference to something that does not exist. */
    public void notFound(String path, JsonNode value) {
        add(new FieldError(path, "FieldValueNotFound", "Not found: " + value));
    }

    public void notSupported(String path, JsonNode value, List<String> allowed) {
        add(FieldError.notSupported(path, value, allowed));
    }

    /** Add a value that is set but none of those allowed. */
    public void oneOf(String path, JsonNode value, String... allowed) {
        if (isSet(value) && !List.of(allowed).contains(value.asText())) {
            notSupported(path, value, List.of(allowed));
        }
    }

    /** Add a text that is longer than the limit in bytes. */
    public void tooLong(String path, int max) {
        add(FieldError.tooLong(path, max));
    }

    /** Return whether a value is neither missing nor null nor an empty text. */
    public static boolean isSet(JsonNode value) {
        return !value.isMissingNode()
                && !value.isNull()
                && !(value.isTextual() && value.asText().isEmpty());
    }
}
