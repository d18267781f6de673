package io.github.reconciler4j.test.faults;

import io.github.reconciler4j.test.request.RequestMatch;

/**
 * When to misbehave, and how. A rule counts the requests (or events) that it matches; of these it skips some, then lets
 * the fault happen to every nth, with a probability, a number of times. The dice have a seed, so the same sequence of
 * requests meets the same faults. Immutable.
 *
 * <pre>{@code
 * server.faults().add(FaultRule.of(RequestMatch.writes().kind("ConfigMap"), Fault.conflict()).everyNth(3));
 * }</pre>
 *
 * @param match which requests
 * @param fault what happens to them
 * @param skip how many matching requests are spared at first (default 0)
 * @param nth to which of them it happens: 1 for each, 2 for every second, ... (default 1)
 * @param probability how likely it then is, from 0 to 1 (default 1)
 * @param seed the seed of the dice (default 0)
 * @param times how often at most (default without end)
 * @since 0.1.0
 */
public record FaultRule(
        RequestMatch match, Fault fault, long skip, long nth, double probability, long seed, long times) {

    /** Checks the numbers. */
    public FaultRule {
        if (skip < 0 || nth < 1 || times < 1) {
            throw new IllegalArgumentException("'skip' must be at least 0, 'nth' and 'times' at least 1");
        }
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("'probability' must be from 0 to 1, was " + probability);
        }
    }

    /** Lets the fault happen to every matching request. */
    public static FaultRule of(RequestMatch match, Fault fault) {
        return new FaultRule(match, fault, 0, 1, 1, 0, Long.MAX_VALUE);
    }

    /** The same, sparing the first matching requests. */
    public FaultRule after(long spared) {
        return new FaultRule(match, fault, spared, nth, probability, seed, times);
    }

    /** The same, for every nth matching request. */
    public FaultRule everyNth(long n) {
        return new FaultRule(match, fault, skip, n, probability, seed, times);
    }

    /** The same, by chance. */
    public FaultRule withProbability(double chance, long newSeed) {
        return new FaultRule(match, fault, skip, nth, chance, newSeed, times);
    }

    /** The same, a number of times at most. */
    public FaultRule times(long most) {
        return new FaultRule(match, fault, skip, nth, probability, seed, most);
    }

    /** The same, once. */
    public FaultRule once() {
        return times(1);
    }
}
