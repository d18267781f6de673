package io.github.reconciler4j.client;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every read contains all earlier writes of its own thread, or something newer, while watches are delayed, cut, doubled
 * and restarted, and while answers to writes are lost. More seeds: {@code -Dconsistency.seeds=1000}.
 */
@Timeout(600)
class ReadYourWritesTests {

    private static final Logger LOG = LoggerFactory.getLogger(ReadYourWritesTests.class);
    private static final long SEEDS = Long.getLong("consistency.seeds", 4);
    private static final long FIRST = Long.getLong("consistency.first", 1);

    static LongStream seeds() {
        return LongStream.range(FIRST, FIRST + SEEDS);
    }

    private final KubernetesServer server = KubernetesServer.start();

    private void disturb(long seed) {
        RequestMatch watches = RequestMatch.watches().kind("ConfigMap");
        RequestMatch events = RequestMatch.verbs("watch").kind("ConfigMap");
        Fault[] faults = {
            Fault.endWatch(Fault.WatchEnd.CONNECTION_RESET),
            Fault.endWatch(Fault.WatchEnd.INSIDE_EVENT),
            Fault.endWatch(Fault.WatchEnd.EXPIRED),
            Fault.endWatch(Fault.WatchEnd.ORDERLY),
            Fault.duplicateEvents()
        };
        for (int i = 0; i < faults.length; i++) {
            server.faults().add(FaultRule.of(events, faults[i]).withProbability(0.01, seed + i));
        }
        server.faults()
                .add(FaultRule.of(events, Fault.delayEvents(Duration.ofMillis(30)))
                        .withProbability(0.2, seed));
        server.faults().add(FaultRule.of(watches, Fault.unavailable()).withProbability(0.05, seed));
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("list").kind("ConfigMap"), Fault.delay(Duration.ofMillis(20)))
                        .withProbability(0.3, seed));
        RequestMatch writes = RequestMatch.writes().kind("ConfigMap");
        server.faults()
                .add(FaultRule.of(writes, Fault.cut(Fault.CutPoint.AFTER)).withProbability(0.01, seed));
        server.faults()
                .add(FaultRule.of(writes, Fault.cut(Fault.CutPoint.BEFORE)).withProbability(0.01, seed + 1));
        server.faults().add(FaultRule.of(writes, Fault.unavailable()).withProbability(0.01, seed + 2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void readWhenWatchesAreDisturbedContainsAllEarlierWritesOfItsThread(long seed) throws Exception {
        LOG.info("Consistency of own writes, seed {}", seed);
        Random random = new Random(seed);
        try (server;
                ConsistencyRun run = new ConsistencyRun(server.clientConfig(), "default", seed)) {
            run.run(6, 120, () -> disturbance(random, seed));
            server.faults().clear();
            run.checkEnd();
        }
    }

    private synchronized void disturbance(Random random, long seed) {
        switch (random.nextInt(5)) {
            case 0 -> {
                server.faults().clear();
                disturb(random.nextLong());
            }
            case 1 -> server.compactHistory();
            case 2 -> server.endWatches(RequestMatch.any(), Fault.WatchEnd.EXPIRED);
            case 3 -> server.endWatches(RequestMatch.any(), Fault.WatchEnd.CONNECTION_RESET);
            default -> server.cutConnections();
        }
    }
}
