package io.github.reconciler4j.test.faults;

import io.github.reconciler4j.test.request.RequestMatch;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Controls when a server injects a fault. A rule counts the requests, or the watch events, that it matches. It skips the first of
 * them, then applies to every nth, with a probability, and up to a number of times. The random numbers depend on a seed,
 * so that the same sequence of requests meets the same faults. Immutable.
 *
 * <!-- snippet: BusyServerTests -->
 * <pre>{@code
 * RequestMatch writes = RequestMatch.writes().kind("ConfigMap").user(TestCluster.OPERATOR);
 * server.faults().add(FaultRule.of(writes, Fault.unavailable()).times(2));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FaultRule {

    private final Values values;

    private FaultRule(Values values) {
        Objects.requireNonNull(values.match, "match");
        Objects.requireNonNull(values.fault, "fault");
        atLeast(0, "skip", values.skip);
        atLeast(1, "nth", values.nth);
        atLeast(1, "times", values.times);
        if (!(values.probability >= 0 && values.probability <= 1)) {
            throw new IllegalArgumentException("'probability' must be from 0 to 1, was " + values.probability);
        }
        this.values = values;
    }

    private static void atLeast(long least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException("'" + name + "' must be at least " + least + ", was " + value);
        }
    }

    /** Return a rule that applies to every matching request. */
    public static FaultRule of(RequestMatch match, Fault fault) {
        return new FaultRule(new Values(match, fault));
    }

    private FaultRule change(Consumer<Values> change) {
        return new FaultRule(values.changed(change));
    }

    /** Return the requests that the rule is about. */
    public RequestMatch match() {
        return values.match;
    }

    /** Return the fault. */
    public Fault fault() {
        return values.fault;
    }

    /** Return the number of matching requests that the rule spares at first. Default 0. */
    public long skip() {
        return values.skip;
    }

    /** Return n, where the rule applies to every nth matching request. Default 1. */
    public long nth() {
        return values.nth;
    }

    /** Return the probability with which the rule then applies, from 0 to 1. Default 1. */
    public double probability() {
        return values.probability;
    }

    /** Return the seed of the random numbers. Default 0. */
    public long seed() {
        return values.seed;
    }

    /** Return how often the rule applies at most. Default unlimited. */
    public long times() {
        return values.times;
    }

    /**
     * Return a copy of this rule that spares the first matching requests.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public FaultRule after(long spared) {
        return change(copy -> copy.skip = spared);
    }

    /**
     * Return a copy of this rule that applies to every nth matching request.
     *
     * @throws IllegalArgumentException if n is less than 1
     */
    public FaultRule everyNth(long n) {
        return change(copy -> copy.nth = n);
    }

    /**
     * Return a copy of this rule that applies with a probability.
     *
     * @throws IllegalArgumentException if the probability is not from 0 to 1
     */
    public FaultRule withProbability(double newProbability, long newSeed) {
        return change(copy -> {
            copy.probability = newProbability;
            copy.seed = newSeed;
        });
    }

    /**
     * Return a copy of this rule that applies at most that many times.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public FaultRule times(long limit) {
        return change(copy -> copy.times = limit);
    }

    /** Return a copy of this rule that applies once. */
    public FaultRule once() {
        return times(1);
    }

    @Override
    public String toString() {
        return "FaultRule[match=" + values.match + ", fault=" + values.fault + ", skip=" + values.skip + ", nth="
                + values.nth + ", probability=" + values.probability + ", seed=" + values.seed + ", times="
                + values.times + "]";
    }

    private static final class Values implements Cloneable {
        private final RequestMatch match;
        private final Fault fault;
        private long skip;
        private long nth = 1;
        private double probability = 1;
        private long seed;
        private long times = Long.MAX_VALUE;

        Values(RequestMatch match, Fault fault) {
            this.match = match;
            this.fault = fault;
        }

        Values changed(Consumer<Values> change) {
            try {
                Values copy = (Values) clone();
                change.accept(copy);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e); // this class is cloneable
            }
        }
    }
}
