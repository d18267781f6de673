package io.github.reconciler4j.workqueue;

import java.time.Duration;

/**
 * How keys of low priority are reached although keys of higher priority keep coming. A priority that has had keys
 * waiting for {@link #after} without a break is overdue. Of every {@link #oneOf} hand-outs one then goes to an overdue
 * priority below the highest waiting one; several overdue priorities take turns. So the order is strict for short
 * bursts, and a key with {@code n} keys before it in its priority is handed out after {@code (n + 1) * oneOf} hand-outs
 * at the latest (times the number of overdue priorities), counted from when its priority is overdue. Immutable.
 *
 * @param after how long before a priority is overdue (default 10 seconds); not negative
 * @param oneOf one of so many hand-outs goes to overdue priorities (default 8); 1 prefers them always, 0 is strict
 *     priority for ever
 * @since 0.1.0
 */
public record PriorityAging(Duration after, int oneOf) {

    private static final PriorityAging DEFAULTS = new PriorityAging(Duration.ofSeconds(10), 8);
    private static final PriorityAging OFF = new PriorityAging(Duration.ZERO, 0);

    /** Checks that nothing is negative. */
    public PriorityAging {
        if (after.isNegative()) {
            throw new IllegalArgumentException("'after' must not be negative, was " + after);
        }
        if (oneOf < 0) {
            throw new IllegalArgumentException("'oneOf' must be at least 0, was " + oneOf);
        }
    }

    /** One of 8 hand-outs, after 10 seconds. */
    public static PriorityAging defaults() {
        return DEFAULTS;
    }

    /** Strict priority: lower ones may wait for ever. */
    public static PriorityAging off() {
        return OFF;
    }
}
