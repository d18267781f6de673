package io.github.reconciler4j.reconcile;

import io.github.reconciler4j.support.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a successful reconciliation: whether and when to reconcile the same request again without a change. A
 * change always leads to a reconciliation. Immutable, with value equality.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * return greeting.getSpec().getName().isEmpty() ? Result.done() : Result.requeueAfter(Duration.ofMinutes(10));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Result {

    private static final Result DONE = new Result(Next.DONE, Duration.ZERO, null);
    private static final Result BACKOFF = new Result(Next.WITH_BACKOFF, Duration.ZERO, null);

    private final Next next;
    private final Duration delay;
    private final @Nullable Integer priority;

    private Result(Next next, Duration delay, @Nullable Integer priority) {
        this.next = next;
        this.delay = delay;
        this.priority = priority;
    }

    /**
     * When to reconcile again.
     *
     * @since 0.1.0
     */
    public enum Next {
        /** When something changes. */
        DONE,
        /** After {@link Result#delay}, or earlier if something changes. */
        AFTER_DELAY,
        /** With the growing delays of a failing request, but not counted as an error. */
        WITH_BACKOFF
    }

    /** Return the result for a request that is finished until something changes. Resets the count of failures. */
    public static Result done() {
        return DONE;
    }

    /**
     * Return the result for a request to reconcile again after a delay, or earlier if something changes. An earlier
     * reconciliation replaces the delay. Resets the count of failures.
     *
     * @param delay the time to wait; zero or less is at once
     */
    public static Result requeueAfter(Duration delay) {
        return new Result(Next.AFTER_DELAY, delay.isNegative() ? Duration.ZERO : delay, null);
    }

    /**
     * Return the result for a request to reconcile again with the growing delays of a failing request: for a condition
     * that no watched object reports. Counted as a retry, not as an error.
     */
    public static Result requeueWithBackoff() {
        return BACKOFF;
    }

    /**
     * Return a copy of this result with a priority for the next reconciliation. Has no effect on {@link #done()}.
     *
     * @param newPriority higher priorities come first; changes have 0, the initial list and resyncs -100
     */
    public Result withPriority(int newPriority) {
        return new Result(next, delay, newPriority);
    }

    /** Return when to reconcile again. */
    public Next next() {
        return next;
    }

    /** Return the time until then; zero unless {@link #next} is {@link Next#AFTER_DELAY}. */
    public Duration delay() {
        return delay;
    }

    /** Return the priority of the next reconciliation; empty to keep the priority of this one. */
    public OptionalInt priority() {
        return priority == null ? OptionalInt.empty() : OptionalInt.of(priority);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Result result
                && next == result.next
                && delay.equals(result.delay)
                && Objects.equals(priority, result.priority);
    }

    @Override
    public int hashCode() {
        return Objects.hash(next, delay, priority);
    }

    /** Return text such as {@code AFTER_DELAY 5s} or {@code AFTER_DELAY 250ms}. */
    @Override
    public String toString() {
        return next
                + (next == Next.AFTER_DELAY ? " " + text(delay) : "")
                + (priority == null ? "" : " priority " + priority);
    }

    /** Format a duration as configurations do, in the largest unit that is exact. */
    private static String text(Duration duration) {
        if (duration.getNano() % 1_000_000 != 0) {
            return duration.getSeconds() == 0 ? duration.getNano() + "ns" : duration.toString();
        }
        if (duration.getNano() != 0) {
            return Nanos.bounded(duration).toMillis() + "ms";
        }
        long seconds = duration.getSeconds();
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
