package io.github.reconciler4j.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The guarantee of pending writes under every order of writes, answers, events and reads that a seed can come to, without
 * threads and clocks, so that a seed always does the same: {@code -Dcache.simulation.seed=7 -Dcache.simulation.seeds=1}.
 */
class PendingWritesSimulationTests {

    private static final int SEEDS = Integer.getInteger("cache.simulation.seeds", 3000);
    private static final int FIRST = Integer.getInteger("cache.simulation.seed", 0);
    private static final int STEPS = 250;

    @Test
    void readWhenWriteWasAnsweredNeverShowsAnOlderState() throws IOException {
        long reads = 0;
        long refusals = 0;
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            PendingWritesSimulation simulation = new PendingWritesSimulation(seed);
            simulation.run(STEPS);
            reads += simulation.reads();
            refusals += simulation.refusals();
        }
        assertThat(reads).isGreaterThan(20L * SEEDS);
        assertThat(refusals).isGreaterThan(5L * SEEDS);
    }

    @Test
    void runWhenSeedIsTheSameTakesTheSameSteps() throws IOException {
        PendingWritesSimulation first = new PendingWritesSimulation(42);
        PendingWritesSimulation second = new PendingWritesSimulation(42);
        first.run(STEPS);
        second.run(STEPS);
        assertThat(first.steps()).isEqualTo(second.steps()).hasSizeGreaterThan(STEPS / 2);
    }
}
