package io.github.reconciler4j.controllers.differential.sets;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.util.ExceptionUtils;

/**
 * Plays the same histories on two control planes, one of them with our StatefulSet and DaemonSet controllers in the place
 * of Kubernetes' own, and compares the outcomes. {@code -Dhistories=50} plays more of them, {@code -Dhistories.first=17}
 * others.
 */
@Tag("whole")
@NeedsKubernetes("1.37") // these controllers are those of this version
class SetDifferentialIntegrationTests {

    private static final int HISTORIES = Integer.getInteger("histories", 5);
    private static final long FIRST = Long.getLong("histories.first", 1);
    private static final int STEPS = Integer.getInteger("histories.steps", 14);
    private static final int AT_A_TIME = Integer.getInteger("histories.parallel", 5);

    private static SetClusters clusters;

    @BeforeAll
    static void start() {
        clusters = new SetClusters();
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @Test
    void statefulSetsWhenPlayedOnBothClustersEndEqual() throws Exception {
        assertThat(play(seed -> new StatefulSetHistory(clusters, seed)))
                .as("histories that did not end equal")
                .isEmpty();
    }

    @Test
    void daemonSetsWhenPlayedOnBothClustersEndEqual() throws Exception {
        assertThat(play(seed -> new DaemonSetHistory(clusters, seed)))
                .as("histories that did not end equal")
                .isEmpty();
    }

    private static List<String> play(LongFunction<SetHistory> histories) throws InterruptedException {
        ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<?>> played = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            SetHistory history = histories.apply(seed);
            played.add(players.submit(() -> history.play(STEPS)));
        }
        List<String> failures = new ArrayList<>();
        for (Future<?> history : played) {
            try {
                history.get();
            } catch (ExecutionException e) {
                failures.add(
                        e.getCause() instanceof AssertionError
                                ? e.getCause().getMessage()
                                : ExceptionUtils.readStackTrace(e.getCause()));
            }
        }
        players.shutdown();
        System.out.println(HISTORIES - failures.size() + " of " + HISTORIES + " histories ended equal");
        return failures;
    }
}
