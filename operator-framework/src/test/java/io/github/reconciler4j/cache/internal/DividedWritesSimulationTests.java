package io.github.reconciler4j.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What readers see, and what is delivered, when parts come and go while writes are under way, as a seed decides. A seed always does
 * the same: {@code -Ddivided.writes.seed=7 -Ddivided.writes.seeds=1}.
 */
class DividedWritesSimulationTests {

    private static final int SEEDS = Integer.getInteger("divided.writes.seeds", 500);
    private static final int FIRST = Integer.getInteger("divided.writes.seed", 0);
    private static final int STEPS = 300;

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");
    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

    @BeforeEach
    void captureWarnings() {
        log.setLevel(Level.WARN);
        log.setAdditive(false);
        warnings.start();
        log.addAppender(warnings);
    }

    @AfterEach
    void restoreTheLog() {
        log.detachAppender(warnings);
        log.setAdditive(true);
        log.setLevel(null);
    }

    @Test
    void readWhenPartsMoveShowsNothingOlderThanTheAnswerAndInTheEndWhatTheServerHas() {
        long reads = 0;
        long moves = 0;
        long lost = 0;
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            DividedWritesSimulation simulation = new DividedWritesSimulation(seed);
            simulation.run(STEPS);
            reads += simulation.reads();
            moves += simulation.moves();
            lost += simulation.lostAnswers();
            if (!simulation.hasFaults()) {
                assertThat(warnings.list).as("the log of seed " + seed).isEmpty();
            }
            warnings.list.clear();
        }
        assertThat(reads).isGreaterThan(20L * SEEDS);
        assertThat(moves).isGreaterThan(10L * SEEDS);
        assertThat(lost).isGreaterThan((long) SEEDS);
    }

    @Test
    void runWhenSeedIsTheSameTakesTheSameSteps() {
        DividedWritesSimulation first = new DividedWritesSimulation(42);
        DividedWritesSimulation second = new DividedWritesSimulation(42);
        first.run(STEPS);
        second.run(STEPS);
        assertThat(first.trace()).isEqualTo(second.trace()).hasSizeGreaterThan(STEPS / 2);
    }
}
