package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.client.FakeClient;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Random histories: there are never two resources of an owner, and none without its owner. More cases:
 * {@code -Dexternal.cases=20000}; {@code -Dexternal.seed=7 -Dexternal.cases=1} repeats one.
 */
class ExternalRandomTests {

    private static final long SEED = Long.getLong("external.seed", 0);
    private static final int CASES = Integer.getInteger("external.cases", 300);

    /** A server keeps the history of its objects, so that each gets some histories only. */
    private static final int CASES_OF_A_SERVER = 500;

    /** How often each fault happened. */
    record Counts(
            AtomicInteger crashes,
            AtomicInteger pauses,
            AtomicInteger late,
            AtomicInteger lost,
            AtomicInteger stale,
            AtomicInteger stalls) {

        static Counts none() {
            return new Counts(
                    new AtomicInteger(),
                    new AtomicInteger(),
                    new AtomicInteger(),
                    new AtomicInteger(),
                    new AtomicInteger(),
                    new AtomicInteger());
        }
    }

    @Test
    void resourcesWhenAnythingGoesWrongAreNeverTwoAndNeverLost() {
        Counts counts = Counts.none();
        for (long seed = SEED; seed < SEED + CASES; seed += CASES_OF_A_SERVER) {
            try (FakeClient client = FakeClient.of()) {
                long end = Math.min(seed + CASES_OF_A_SERVER, SEED + CASES);
                for (long each = seed; each < end; each++) {
                    run(each, client, counts);
                }
            }
        }
        System.err.println(CASES + " histories of external resources: " + counts);
        if (CASES >= 100) {
            assertThat(counts.crashes().get()).isGreaterThan(CASES / 2);
            assertThat(counts.pauses().get()).isGreaterThan(CASES / 2);
            assertThat(counts.late().get()).isGreaterThan(CASES / 10);
            assertThat(counts.lost().get()).isGreaterThan(CASES / 4);
            assertThat(counts.stalls().get()).isGreaterThan(CASES / 50);
        }
    }

    private static void run(long seed, FakeClient client, Counts counts) {
        ExternalHistory history = new ExternalHistory(seed, client, counts);
        try {
            history.run();
        } catch (Throwable e) {
            throw new AssertionError(
                    "-Dexternal.seed=" + seed + " -Dexternal.cases=1: " + e.getMessage() + "\n"
                            + String.join("\n", history.log),
                    e);
        }
    }
}
