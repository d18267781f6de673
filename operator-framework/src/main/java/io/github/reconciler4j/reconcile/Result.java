package io.github.reconciler4j.reconcile;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a reconciler says when it ends without an exception: whether, and when, it wants to run again for the same
 * request without a change. A change always leads to a run, whatever the result says. Immutable.
 *
 * @param next whether and how to come back
 * @param delay the time until then, zero unless {@code next} is {@link Next#AFTER_DELAY}
 * @param priority the priority of the next run in the queue; empty keeps the one of this run
 * @since 0.1.0
 */
public record Result(Next next, Duration delay, OptionalInt priority) {

    private static final Result DONE = new Result(Next.DONE, Duration.ZERO, OptionalInt.empty());
    private static final Result BACKOFF = new Result(Next.WITH_BACKOFF, Duration.ZERO, OptionalInt.empty());

    /**
     * Ways to come back.
     *
     * @since 0.1.0
     */
    public enum Next {
        /** Not until something changes. */
        DONE,
        /** After {@link Result#delay}, or earlier if something changes before. */
        AFTER_DELAY,
        /** With the growing delays of a failing request, but without counting as an error. */
        WITH_BACKOFF
    }

    /** All is as it should be; run again when something changes. Failures so far are forgotten. */
    public static Result done() {
        return DONE;
    }

    /**
     * Run again after this time, or earlier if something changes before; an earlier run has to ask for it anew.
     * Failures so far are forgotten.
     *
     * @param delay the time to wait; zero or less is at once
     */
    public static Result requeueAfter(Duration delay) {
        return new Result(Next.AFTER_DELAY, delay.isNegative() ? Duration.ZERO : delay, OptionalInt.empty());
    }

    /**
     * Run again with the growing delays of a failing request, for work that waits for something nobody reports. Counts
     * as a retry, not as an error.
     */
    public static Result requeueWithBackoff() {
        return BACKOFF;
    }

    /**
     * The same with a priority for the next run: higher runs first, changes have 0, the initial list and resyncs -100.
     * Means nothing for {@link #done()}.
     */
    public Result withPriority(int newPriority) {
        return new Result(next, delay, OptionalInt.of(newPriority));
    }
}
