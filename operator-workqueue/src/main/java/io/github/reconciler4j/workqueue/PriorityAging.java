package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How keys of low priority are reached although keys of higher priority keep arriving. A priority that has had waiting keys
 * for {@link #after} without a break is overdue. Every {@link #every}th dequeue then goes to an overdue priority below the
 * highest waiting one; several overdue priorities take turns. So the order is strict for short bursts, and a key with
 * {@code n} keys before it in its priority is dequeued after at most {@code (n + 1) * every} dequeues (times the number of
 * overdue priorities), counted from when its priority is overdue. Immutable, with value equality.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * .withPriorityAging(PriorityAging.defaults().withAfter(Duration.ofMinutes(2)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class PriorityAging {

    private static final PriorityAging DEFAULTS = new PriorityAging(Duration.ofSeconds(10), 8);
    private static final PriorityAging OFF = new PriorityAging(Duration.ZERO, 0);

    private final Duration after;
    private final int every;

    private PriorityAging(Duration after, int every) {
        if (after.isNegative()) {
            throw new IllegalArgumentException("'after' must not be negative, was " + after);
        }
        if (every < 0) {
            throw new IllegalArgumentException("'every' must not be negative, was " + every);
        }
        this.after = after;
        this.every = every;
    }

    /** Return the default: every 8th dequeue, after 10 seconds. */
    public static PriorityAging defaults() {
        return DEFAULTS;
    }

    /** Return strict priority, with which low priorities can wait forever. */
    public static PriorityAging off() {
        return OFF;
    }

    /** Return the time after which a waiting priority is overdue (default 10 seconds). */
    public Duration after() {
        return after;
    }

    /** Return which dequeues go to overdue priorities: every 8th by default; 1 prefers them always, 0 never. */
    public int every() {
        return every;
    }

    /**
     * Return a copy of this aging with the given time after which a waiting priority is overdue; not negative.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public PriorityAging withAfter(Duration newAfter) {
        return new PriorityAging(newAfter, every);
    }

    /**
     * Return a copy of this aging in which every {@code n}th dequeue goes to overdue priorities; 0 for none.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public PriorityAging withEvery(int n) {
        return new PriorityAging(after, n);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PriorityAging aging && after.equals(aging.after) && every == aging.every;
    }

    @Override
    public int hashCode() {
        return Objects.hash(after, every);
    }

    @Override
    public String toString() {
        return "PriorityAging[after=" + after + ", every=" + every + "]";
    }
}
