package io.github.reconciler4j.spring.autoconfigure;

import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports a mistake in the configuration of the operator, with the action that fixes it. */
final class OperatorConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    OperatorConfigurationException(String description, String action) {
        this(description, action, null);
    }

    OperatorConfigurationException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /**
     * Create an exception for a property.
     *
     * @param problem continues a sentence that starts with the name of the property
     */
    static OperatorConfigurationException property(String property, String problem, @Nullable Throwable cause) {
        return new OperatorConfigurationException(
                "The property '" + property + "' " + problem,
                "Correct the property '" + property + "'. (R4J-301)",
                cause);
    }

    /**
     * Return what a supplier makes of a property.
     *
     * @throws OperatorConfigurationException if the supplier refuses the value
     */
    static <O> O fromProperty(String property, Supplier<O> supplier) {
        try {
            return supplier.get();
        } catch (IllegalArgumentException e) {
            throw property(property, "has an invalid value: " + e.getMessage(), e);
        }
    }

    /** Return the options with the value of a property, or unchanged options if the property has no value. */
    static <O, V> O set(String property, O options, @Nullable V value, BiFunction<O, V, O> setter) {
        return value == null ? options : fromProperty(property, () -> setter.apply(options, value));
    }

    /** Return what to do about it. */
    String action() {
        return action;
    }
}
