package io.github.reconciler4j.workqueue;

import java.util.Objects;
import java.util.function.Function;

/**
 * Divides the workers between groups of keys, for example namespaces. Within a priority, the next key is that of the
 * group with the fewest keys being processed, and among those the group served longest ago; within a group the order
 * stays first in, first out. A group alone in the queue may use all workers, unless {@link #maxRunning} or
 * {@link #share} keeps some free for others. Priorities come first: a group's share counts among keys of the same priority. Immutable.
 *
 * @param group the group of a key, with {@code equals} and {@code hashCode}; called by whoever adds the key, without
 *     the lock of the queue, and always with the same answer for equal keys; not null
 * @param maxRunning the most keys of one group being processed at a time, at least 1 (default: as many as there are
 *     workers)
 * @param share the same as a part of the workers there are, rounded up, above 0 and at most 1 (default 1: all); follows
 *     {@link WorkQueue#setWorkers}, and counts only once that was called; of both limits the lower one holds
 * @param <T> the keys
 * @since 0.1.0
 */
public record Fairness<T>(Function<? super T, ?> group, int maxRunning, double share) {

    /** Checks the limits. */
    public Fairness {
        Objects.requireNonNull(group, "'group' must not be null");
        if (maxRunning < 1) {
            throw new IllegalArgumentException("'maxRunning' must be at least 1, was " + maxRunning);
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("'share' must be above 0 and at most 1, was " + share);
        }
    }

    /** Even shares, no limit. */
    public static <T> Fairness<T> between(Function<? super T, ?> group) {
        return new Fairness<>(group, Integer.MAX_VALUE, 1);
    }

    /** The same with a limit to the keys of one group being processed at a time. */
    public Fairness<T> withMaxRunning(int newMaxRunning) {
        return new Fairness<>(group, newMaxRunning, share);
    }

    /** The same with a limit to the part of the workers that one group may have at a time. */
    public Fairness<T> withShare(double newShare) {
        return new Fairness<>(group, maxRunning, newShare);
    }
}
