package io.github.reconciler4j.controllers.internal.support;

import org.jspecify.annotations.Nullable;

/**
 * Translates between numbers and the fields of Kubernetes objects, which leave zeros out.
 *
 * @since 0.1.0
 */
public final class Numbers {

    private Numbers() {}

    /** Return the number in a field, zero if the field is absent. */
    public static int orZero(@Nullable Integer field) {
        return field == null ? 0 : field;
    }

    /** Return the number in a field, zero if the field is absent. */
    public static long orZero(@Nullable Long field) {
        return field == null ? 0 : field;
    }

    /** Return what to put into a field that Kubernetes leaves out when it is zero. */
    public static @Nullable Integer orAbsent(int number) {
        return number == 0 ? null : number;
    }

    /** Return what to put into a field that Kubernetes leaves out when it is zero. */
    public static @Nullable Long orAbsent(long number) {
        return number == 0 ? null : number;
    }
}
