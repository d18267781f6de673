package io.github.reconciler4j.test.faults;

import io.github.reconciler4j.test.request.RequestMatch;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Controls when a server injects a fault. A rule counts the requests, or the watch events, that it matches. It skips the first of
 * them, then applies to every nth, with a probability, and up to a number of times. The random numbers depend on a seed,
 * so that the same sequence of requests meets the same faults. Immutable.
 *
 * <pre>{@code
 * server.faults().add(FaultRule.of(RequestMatch.writes().kind("ConfigMap"), Fault.conflict()).everyNth(3));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FaultRule {
    private final RequestMatch match;
    private final Fault fault;
    private final long skip;
    private final long nth;
    private final double probability;
    private final long seed;
    private final long times;

    private FaultRule(Draft draft) {
        match = Objects.requireNonNull(draft.match, "match");
        fault = Objects.requireNonNull(draft.fault, "fault");
        skip = atLeast(0, "skip", draft.skip);
        nth = atLeast(1, "nth", draft.nth);
        probability = draft.probability;
        seed = draft.seed;
        times = atLeast(1, "times", draft.times);
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("'probability' must be from 0 to 1, was " + probability);
        }
    }

    private static long atLeast(long least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException("'" + name + "' must be at least " + least + ", was " + value);
        }
        return value;
    }

    /** Return a rule that applies to every matching request. */
    public static FaultRule of(RequestMatch match, Fault fault) {
        return new FaultRule(new Draft(match, fault));
    }

    private FaultRule change(Consumer<Draft> change) {
        Draft draft = new Draft(match, fault);
        draft.skip = skip;
        draft.nth = nth;
        draft.probability = probability;
        draft.seed = seed;
        draft.times = times;
        change.accept(draft);
        return new FaultRule(draft);
    }

    /** Return the requests that the rule is about. */
    public RequestMatch match() {
        return match;
    }

    /** Return the fault. */
    public Fault fault() {
        return fault;
    }

    /** Return the number of matching requests that the rule spares at first. Default 0. */
    public long skip() {
        return skip;
    }

    /** Return n, where the rule applies to every nth matching request. Default 1. */
    public long nth() {
        return nth;
    }

    /** Return the probability with which the rule then applies, from 0 to 1. Default 1. */
    public double probability() {
        return probability;
    }

    /** Return the seed of the random numbers. Default 0. */
    public long seed() {
        return seed;
    }

    /** Return how often the rule applies at most. Default unlimited. */
    public long times() {
        return times;
    }

    /**
     * Return a copy of this rule that spares the first matching requests.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public FaultRule after(long spared) {
        return change(draft -> draft.skip = spared);
    }

    /**
     * Return a copy of this rule that applies to every nth matching request.
     *
     * @throws IllegalArgumentException if n is less than 1
     */
    public FaultRule everyNth(long n) {
        return change(draft -> draft.nth = n);
    }

    /**
     * Return a copy of this rule that applies with a probability.
     *
     * @throws IllegalArgumentException if the probability is not from 0 to 1
     */
    public FaultRule withProbability(double newProbability, long newSeed) {
        return change(draft -> {
            draft.probability = newProbability;
            draft.seed = newSeed;
        });
    }

    /**
     * Return a copy of this rule that applies at most that many times.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public FaultRule times(long limit) {
        return change(draft -> draft.times = limit);
    }

    /** Return a copy of this rule that applies once. */
    public FaultRule once() {
        return times(1);
    }

    @Override
    public String toString() {
        return "FaultRule[match=" + match + ", fault=" + fault + ", skip=" + skip + ", nth=" + nth + ", probability="
                + probability + ", seed=" + seed + ", times=" + times + "]";
    }

    private static final class Draft {
        final RequestMatch match;
        final Fault fault;
        long skip;
        long nth = 1;
        double probability = 1;
        long seed;
        long times = Long.MAX_VALUE;

        Draft(RequestMatch match, Fault fault) {
            this.match = match;
            this.fault = fault;
        }
    }
}
