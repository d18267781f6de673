package io.github.reconciler4j.cache.random;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.cache.Cache;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Random writers, faults and readers, seed by seed. Afterwards the store, the indexes and the events of each subscriber are
 * compared with what the server did: no update is lost, no deleted object reappears, the order per object is that of the
 * server, and the final states are equal. {@code -Dcache.seeds=1000} sets the number of runs, {@code -Dcache.seed=7
 * -Dcache.seeds=1} runs one of them. On the other JDK the build runs other seeds.
 */
@Timeout(7200)
class CacheRandomTests {

    private static final int SEEDS = Integer.getInteger("cache.seeds", 25);

    /** A run mostly waits, for delayed watches, backoffs and restarts. */
    private static final int PARALLEL = 10;

    private static final int FIRST = Integer.getInteger("cache.seed", 0);

    private final Logger log = (Logger) LoggerFactory.getLogger(Cache.class.getPackageName());

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(SEEDS > 1 ? Level.OFF : Level.DEBUG);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    @Test
    void runWhenSeedIsTheSameMakesTheSameDecisions() throws Exception {
        RandomRun first = new RandomRun(FIRST);
        first.run();
        RandomRun second = new RandomRun(FIRST);
        second.run();

        assertThat(first.decisions()).hasSize(6).allMatch(decisions -> !decisions.isEmpty());
        assertThat(second.decisions()).isEqualTo(first.decisions());
    }

    @Test
    void cacheWhenServerMisbehavesAtRandomMatchesTheServerAndDeliversOnlyWhatHappened() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(PARALLEL);
        List<Future<?>> runs = new ArrayList<>();
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            int number = seed;
            runs.add(executor.submit(() -> {
                new RandomRun(number).run();
                return null;
            }));
        }
        executor.shutdown();
        AssertionError failed = null;
        for (int i = 0; i < runs.size(); i++) {
            try {
                runs.get(i).get();
            } catch (ExecutionException e) {
                int seed = FIRST + i;
                AssertionError named = new AssertionError(
                        "seed " + seed + " (alone: -Dcache.seed=" + seed + " -Dcache.seeds=1)", e.getCause());
                if (failed != null) {
                    named.addSuppressed(failed);
                }
                failed = named;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
