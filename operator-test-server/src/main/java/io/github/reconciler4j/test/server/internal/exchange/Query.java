package io.github.reconciler4j.test.server.internal.exchange;

import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.util.List;
import java.util.Map;

/**
 * The decoded query of a request.
 *
 * @param values all values of each parameter, in order
 */
public record Query(Map<String, List<String>> values) {
    /** Return the first value, or an empty string. */
    public String first(String name) {
        List<String> all = values.getOrDefault(name, List.of());
        return all.isEmpty() ? "" : all.get(0);
    }

    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /**
     * Return the value as a number, or 0 if it is missing.
     *
     * @throws StatusException 400 if it is not a number
     */
    public long number(String name) {
        String text = first(name);
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("'" + name + "' must be a number, was '" + text + "'");
        }
    }

    /** Return whether the parameter is there, with or without a value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Return whether the parameter is true: present, and neither {@code false} nor {@code 0}. */
    public boolean isTrue(String name) {
        if (!has(name)) {
            return false;
        }
        String value = first(name);
        return !value.equalsIgnoreCase("false") && !value.equals("0");
    }
}
