package io.github.reconciler4j.spring.autoconfigure;

import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts values of properties into options, with errors that name the property. */
final class Setting {

    private Setting() {}

    /** The options with a value, or as they were if there is none. */
    static <O, V> O set(String property, O options, @Nullable V value, BiFunction<O, V, O> setter) {
        return value == null ? options : of(property, () -> setter.apply(options, value));
    }

    /**
     * What a supplier makes of a property.
     *
     * @throws InvalidOperatorPropertyException if it refuses the value
     */
    static <O> O of(String property, Supplier<O> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidOperatorPropertyException(property, "cannot be used: " + e.getMessage(), e);
        }
    }
}
