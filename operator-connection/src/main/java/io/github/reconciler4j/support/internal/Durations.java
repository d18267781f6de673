package io.github.reconciler4j.support.internal;

import java.time.Duration;

/** Checks the durations of options. */
public final class Durations {

    private Durations() {}

    /** Return a positive duration, or throw an {@link IllegalArgumentException} that has the name of the option. */
    public static Duration positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    /** Return a duration that is positive or zero, or throw an {@link IllegalArgumentException} that has the name of the option. */
    public static Duration notNegative(Duration value, String name) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must not be negative, was " + value);
        }
        return value;
    }
}
