package io.github.reconciler4j.controllers.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.util.ExceptionUtils;

/**
 * Plays the same histories on two control planes, one of them with our garbage collector and namespace controller, and
 * compares the outcomes. {@code -Dhistories=50} plays more of them, {@code -Dhistories.first=17} others.
 */
@Tag("whole")
@NeedsKubernetes("1.37") // these controllers are those of this version
class DeletionDifferentialIntegrationTests {

    private static final int HISTORIES = Integer.getInteger("histories", 5);
    private static final long FIRST = Long.getLong("histories.first", 1);
    private static final int STEPS = Integer.getInteger("histories.steps", 14);
    private static final int AT_A_TIME = Integer.getInteger("histories.parallel", 10);

    private static DeletionClusters clusters;

    @BeforeAll
    static void start() {
        clusters = new DeletionClusters();
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @Test
    void historiesWhenPlayedOnBothClustersEndEqual() throws Exception {
        ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<Integer>> histories = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            DeletionHistory history = new DeletionHistory(clusters, seed);
            histories.add(players.submit(() -> history.play(STEPS)));
        }
        List<String> failures = new ArrayList<>();
        int steps = 0;
        for (Future<Integer> history : histories) {
            try {
                steps += history.get();
            } catch (ExecutionException e) {
                failures.add(
                        e.getCause() instanceof AssertionError
                                ? e.getCause().getMessage()
                                : ExceptionUtils.readStackTrace(e.getCause()));
            }
        }
        players.shutdown();
        System.out.println(
                HISTORIES - failures.size() + " of " + HISTORIES + " histories ended equal, after " + steps + " steps");
        assertThat(failures).as("histories that did not end equal").isEmpty();
        assertThat(steps).isPositive();
    }
}
