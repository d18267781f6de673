package io.github.reconciler4j.sample.controllers.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controllers.differential.TwoClusters;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.util.ExceptionUtils;

/**
 * Plays the same histories on two control planes, one of them with our controllers in the place of Kubernetes' own, and
 * compares the outcomes. {@code -Dhistories=200} plays more of them, {@code -Dhistories.first=17} others.
 */
@Tag("whole")
@NeedsKubernetes("1.37") // these controllers are those of this version: earlier ones report and create other things
class DifferentialIntegrationTests {

    private static final int HISTORIES = Integer.getInteger("histories", 10);
    private static final long FIRST = Long.getLong("histories.first", 1);
    private static final int STEPS = Integer.getInteger("histories.steps", 14);
    private static final int AT_A_TIME = Integer.getInteger("histories.parallel", 10);

    private static final String[] REPLACED = {"deployment", "replicaset", "endpoints", "endpointslice"};

    private static TwoClusters clusters;
    private static InstalledChart chart;
    private static ControllersProcess process;

    @BeforeAll
    static void start() {
        clusters = TwoClusters.start(REPLACED);
        chart = InstalledChart.install(clusters.ourCluster());
        process = chart.start().awaitReady();
    }

    @AfterAll
    static void stop() {
        System.out.println(process.log()
                .lines()
                .filter(line -> line.contains("WARN") || line.contains("ERROR"))
                .limit(50)
                .collect(Collectors.joining("\n")));
        process.close();
        clusters.close();
    }

    @Test
    void historiesWhenPlayedOnBothClustersEndEqual() throws Exception {
        ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<DeploymentHistory.Outcome>> histories = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            DeploymentHistory history = new DeploymentHistory(clusters, process, seed);
            boolean kill = seed % 5 == 0;
            histories.add(players.submit(() -> history.play(STEPS, kill)));
        }
        List<String> failures = new ArrayList<>();
        DeploymentHistory.Outcome all = new DeploymentHistory.Outcome(0, 0, 0);
        for (Future<DeploymentHistory.Outcome> history : histories) {
            try {
                all = all.plus(history.get());
            } catch (ExecutionException e) {
                failures.add(
                        e.getCause() instanceof AssertionError
                                ? e.getCause().getMessage()
                                : ExceptionUtils.readStackTrace(e.getCause()));
            }
        }
        players.shutdown();
        System.out.println(HISTORIES - failures.size() + " of " + HISTORIES + " histories ended equal; the limits of "
                + all.rollouts() + " rollouts were checked at " + all.checks()
                + " events; upstream did not keep them at " + all.upstreamViolations());
        assertThat(failures).as("histories that did not end equal").isEmpty();
        assertThat(all.rollouts()).isPositive();
        assertThat(process.log()).doesNotContain("403 Forbidden");
    }

    @Test
    void rolloutCommandsOfKubectlWhenRunOnBothClustersPrintTheSame() {
        new KubectlRollout(clusters).run();
    }

    /** The controllers roll out the Deployment of their own chart. */
    @Test
    void chartWhenInstalledGetsItsPodsAndEndpoints() {
        chart.awaitRolledOut();
    }
}
