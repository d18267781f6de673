package io.github.reconciler4j.controllers.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controllers.ControllersOptions;
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

/**
 * Plays the same histories of Jobs, CronJobs and PodDisruptionBudgets on two control planes, one of them with our controllers in the
 * place of Kubernetes' own, and compares the outcomes. {@code -Dhistories=50} plays more of them, {@code -Dhistories.first=17} others.
 */
@Tag("whole")
@NeedsKubernetes("1.37") // these controllers are those of this version: earlier ones report other things
class JobsDifferentialIntegrationTests {

    private static final int HISTORIES = Integer.getInteger("histories", 5);
    private static final long FIRST = Long.getLong("histories.first", 1);
    private static final int STEPS = Integer.getInteger("histories.steps", 12);
    private static final int AT_A_TIME = Integer.getInteger("histories.parallel", 10);
    private static final String[] REPLACED = {"job", "cronjob", "ttl-after-finished", "disruption"};

    private static TwoClusters clusters;
    private static ControllersInJvm controllers;

    @BeforeAll
    static void start() {
        clusters = TwoClusters.start(REPLACED);
        controllers = ControllersInJvm.start(clusters.ourCluster().config(), ControllersOptions.defaults(), REPLACED);
    }

    @AfterAll
    static void stop() {
        controllers.close();
        clusters.close();
    }

    @Test
    void historiesWhenPlayedOnBothClustersEndEqual() throws InterruptedException {
        ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<?>> histories = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            JobsHistory history = new JobsHistory(clusters, controllers, seed);
            boolean kill = seed % 5 == 0;
            histories.add(players.submit(() -> history.play(STEPS, kill)));
        }
        List<String> failures = new ArrayList<>();
        for (Future<?> history : histories) {
            try {
                history.get();
            } catch (ExecutionException e) {
                failures.add(String.valueOf(e.getCause()));
            }
        }
        players.shutdown();
        System.out.println(HISTORIES - failures.size() + " of " + HISTORIES + " histories ended equal");
        assertThat(failures).as("histories that did not end equal").isEmpty();
    }
}
