package io.github.reconciler4j.test.server.internal.exchange;

import java.util.List;
import java.util.Map;

/**
 * The decoded query of a request.
 *
 * @param values all values of each parameter, in order
 * @since 0.1.0
 */
public record Query(Map<String, List<String>> values) {
    /** The first value, or an empty string. */
    public String first(String name) {
        List<String> all = values.getOrDefault(name, List.of());
        return all.isEmpty() ? "" : all.get(0);
    }

    /** All values. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Whether the parameter is there, with or without a value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether the parameter says yes, as the server reads booleans: anything but {@code false} and {@code 0}. */
    public boolean isTrue(String name) {
        if (!has(name)) {
            return false;
        }
        String value = first(name);
        return !value.equalsIgnoreCase("false") && !value.equals("0");
    }
}
