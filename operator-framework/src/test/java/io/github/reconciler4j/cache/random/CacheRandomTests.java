package io.github.reconciler4j.cache.random;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Random writers, faults and readers, seed by seed; then the store, the indexes and what each subscriber was told are
 * compared with what the server did: no update is lost, nothing comes back from the dead, per object the order is the
 * server's, and the end is equal. {@code -Dcache.seeds=1000} for a long night, {@code -Dcache.seed=7} for one of them.
 */
@Timeout(7200)
class CacheRandomTests {

    private static final int SEEDS = Integer.getInteger("cache.seeds", 50);
    private static final int FIRST = Integer.getInteger("cache.seed", -1);

    private final Logger log = (Logger) LoggerFactory.getLogger(Cache.class.getPackageName());

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(FIRST < 0 ? Level.OFF : Level.DEBUG);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    @Test
    void cacheWhenServerMisbehavesAtRandomEndsAsTheServerAndTellsOnlyWhatHappened() throws InterruptedException {
        int begin = FIRST < 0 ? 0 : FIRST;
        int end = FIRST < 0 ? SEEDS : FIRST + 1;
        for (int seed = begin; seed < end; seed++) {
            try {
                new RandomRun(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + " (run it alone with -Dcache.seed=" + seed + ")", e);
            }
        }
    }
}
