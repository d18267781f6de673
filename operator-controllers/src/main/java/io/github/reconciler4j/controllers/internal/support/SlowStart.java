package io.github.reconciler4j.controllers.internal.support;

import org.jspecify.annotations.Nullable;

/**
 * Runs a task many times, in batches that double: 1, 2, 4, 8 and so on. A batch with a failure is the last one, so that
 * a task that always fails, for instance because a quota is used up, is tried once and not five hundred times.
 *
 * @since 0.1.0
 */
public final class SlowStart {

    /** What is run in batches. */
    @FunctionalInterface
    public interface Batch {
        /** Run the task this often; return how often it succeeded, and the first failure if there was one. */
        Outcome run(int size);
    }

    /**
     * How a batch, or all of them, went.
     *
     * @param successes how often the task succeeded
     * @param failure the first failure, {@code null} if there was none
     */
    public record Outcome(int successes, @Nullable RuntimeException failure) {}

    private SlowStart() {}

    /** Run a task so many times. */
    public static Outcome run(int count, Batch batch) {
        int successes = 0;
        int remaining = count;
        for (int size = Math.min(remaining, 1); size > 0; size = Math.min(2 * size, remaining)) {
            Outcome outcome = batch.run(size);
            successes += outcome.successes();
            if (outcome.failure() != null) {
                return new Outcome(successes, outcome.failure());
            }
            remaining -= size;
        }
        return new Outcome(successes, null);
    }
}
