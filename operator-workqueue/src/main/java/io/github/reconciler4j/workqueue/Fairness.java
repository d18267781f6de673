package io.github.reconciler4j.workqueue;

import java.util.Objects;
import java.util.function.Function;

/**
 * Divides the workers between groups of keys, for example namespaces. Within a priority, the next key is that of the group
 * with the fewest keys being processed, and among those, of the group served longest ago; within a group the order stays
 * first in, first out. A group that is alone in the queue can use all workers, unless {@link #maxRunning} or {@link #share}
 * keeps some free for others. Priorities come first: groups take turns among keys of the same priority. Immutable.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * .withFairness(Fairness.between(request -> ((Request) request).namespace())
 *         .withShare(0.5))
 * }</pre>
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public final class Fairness<T> {

    private final Function<? super T, ?> group;
    private final int maxRunning;
    private final double share;

    private Fairness(Function<? super T, ?> group, int maxRunning, double share) {
        this.group = Objects.requireNonNull(group, "'group' must not be null");
        if (maxRunning < 1) {
            throw new IllegalArgumentException("'maxRunning' must be at least 1, was " + maxRunning);
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("'share' must be above 0 and at most 1, was " + share);
        }
        this.maxRunning = maxRunning;
        this.share = share;
    }

    /**
     * Return even shares without a limit.
     *
     * @param group returns the group of a key, with {@code equals} and {@code hashCode}; called by the thread that adds the
     *     key, without the lock of the queue. Must always return the same for equal keys, and never null. Keys for which it
     *     fails share a group
     */
    public static <T> Fairness<T> between(Function<? super T, ?> group) {
        return new Fairness<>(group, Integer.MAX_VALUE, 1);
    }

    /** Return the function that returns the group of a key. */
    public Function<? super T, ?> group() {
        return group;
    }

    /** Return how many keys of one group can be processed at the same time (default: as many as there are workers). */
    public int maxRunning() {
        return maxRunning;
    }

    /**
     * Return which part of the workers can process keys of one group at the same time, rounded up (default 1: all). Follows
     * {@link WorkQueue#setWorkers}, and has no effect before that is called. Of both limits the lower one counts.
     */
    public double share() {
        return share;
    }

    /**
     * Return a copy of this fairness with the given number of keys of one group, at least 1.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Fairness<T> withMaxRunning(int newMaxRunning) {
        return new Fairness<>(group, newMaxRunning, share);
    }

    /**
     * Return a copy of this fairness with the given part of the workers for one group; above 0 and at most 1.
     *
     * @throws IllegalArgumentException if it is not above 0, or is more than 1
     */
    public Fairness<T> withShare(double newShare) {
        return new Fairness<>(group, maxRunning, newShare);
    }

    @Override
    public String toString() {
        return "Fairness[maxRunning=" + (maxRunning == Integer.MAX_VALUE ? "unlimited" : maxRunning) + ", share="
                + share + "]";
    }
}
