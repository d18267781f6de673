package io.github.reconciler4j.grid;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.fixtures.FaultPlan;
import io.github.reconciler4j.fixtures.FaultPlan.Point;
import io.github.reconciler4j.fixtures.FaultPoints;
import io.github.reconciler4j.fixtures.ThreadCreators;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Each thread of the framework meets an error once, in each method of the class that it runs. Afterwards everything works as
 * before, or the liveness probe fails, or the manager ends with a failure; and the manager stops. An error half-way through a
 * change of the state that a lock guards, as in a queue, is not part of the grid: no code can undo it.
 *
 * <p>The build runs a sample of the methods of each thread. {@code -Dgrid.cells=all} runs all, {@code -Dgrid.seed=7} another
 * sample, and {@code -Dgrid.only=TEXT} the cells whose description contains the text.
 */
@Timeout(7200)
class ThreadGridTests {

    private static final boolean WHOLE =
            System.getProperty("grid.cells", "sample").equals("all");
    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final String ONLY = System.getProperty("grid.only", "");
    private static final int PARALLEL = 10;
    private static final int SAMPLED_PER_ROLE = 2;
    private static final Path PACKAGE = Path.of("src", "main", "java", "io", "github", "reconciler4j");
    private static final Path CONNECTION = Path.of("..", "operator-connection");

    /** The files that create threads, and the roles of these threads. */
    private static final Map<String, Set<String>> CREATORS = Map.ofEntries(
            // Asks who writes an object that changes all the time, and ends with a line in the log.
            Map.entry("cache/internal/BusyObjects.java", Set.of()),
            Map.entry("cache/internal/CacheContext.java", Set.of("cache timer")),
            // Looks again after a failure; no kind of the operator of this grid is optional.
            Map.entry("cache/internal/TimedLooks.java", Set.of()),
            Map.entry("cache/internal/subscription/DefaultSubscription.java", Set.of("subscription")),
            Map.entry("cache/internal/watch/Reflector.java", Set.of("reflector")),
            // Looks up a host name; the thread that waits for it gets its failure.
            Map.entry("client/internal/http/HostAddresses.java", Set.of()),
            // Reads what a plug-in prints; a failure is as if it had printed nothing.
            Map.entry("client/internal/kubeconfig/PluginProcess.java", Set.of()),
            Map.entry("controller/internal/SourceStarter.java", Set.of("source start")),
            Map.entry("controller/internal/Watchdog.java", Set.of("watchdog")),
            Map.entry("controller/internal/WorkerPool.java", Set.of("worker")),
            Map.entry("leaderelection/internal/LeaderElector.java", Set.of("elector")),
            Map.entry("manager/internal/lifecycle/ComponentRunner.java", Set.of("component start", "component stop")),
            Map.entry("manager/internal/leadership/LeaseLeadership.java", Set.of("rejoin")),
            Map.entry("manager/internal/lifecycle/Lifecycle.java", Set.of("manager stop")),
            // An example in a comment.
            Map.entry("manager/process/ShutdownSignals.java", Set.of()),
            Map.entry("recorder/EventBroadcaster.java", Set.of("event writer")),
            Map.entry("source/Poller.java", Set.of("poller")),
            // Repeats a step that failed; the operator of this grid has one cluster.
            Map.entry("manager/internal/lifecycle/StartRetries.java", Set.of()),
            Map.entry("source/Redelivery.java", Set.of("redelivery")),
            Map.entry("support/internal/CallWatch.java", Set.of("callback watch")),
            // Creates the threads of the others.
            Map.entry("support/internal/Platform.java", Set.of()),
            Map.entry("support/internal/ConnectionListener.java", Set.of("probe listener", "probe connection")));

    /** The threads that do more after the lease was lost. */
    private static final Set<String> LOSING_LEASE =
            Set.of("rejoin", "elector", "component start", "component stop", "source start");

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");
    private final KubernetesServer server = KubernetesServer.start();

    @BeforeEach
    void silenceTheLog() {
        log.setAdditive(false);
    }

    @AfterEach
    void stop() {
        log.setAdditive(true);
        server.close();
    }

    @Test
    void threadsWhenTheFrameworkCreatesNewOnesAreInTheGrid() throws IOException {
        Set<String> creators = new TreeSet<>(ThreadCreators.in(PACKAGE));
        creators.addAll(ThreadCreators.in(CONNECTION.resolve(PACKAGE)));
        assertThat(creators)
                .as("files that create threads; give a new kind of thread a role in FrameworkThreads and an entry here")
                .containsExactlyInAnyOrderElementsOf(CREATORS.keySet());
        assertThat(FrameworkThreads.names())
                .containsExactlyInAnyOrderElementsOf(
                        CREATORS.values().stream().flatMap(Set::stream).collect(Collectors.toSet()));
    }

    @Test
    void threadsWhenAnErrorHappensInThemContinueOrTheProcessIsRestarted(TestReporter reporter) throws Exception {
        try (FaultPoints points = FaultPoints.open()) {
            Set<Point> all = record().stream().filter(FrameworkThreads::isCell).collect(Collectors.toSet());
            assertThat(all.stream().map(point -> point.role().name()).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(FrameworkThreads.names());
            List<Point> cells = (WHOLE ? all.stream() : sample(all).stream())
                    .filter(point -> point.toString().contains(ONLY))
                    .sorted()
                    .toList();
            check(cells, reporter);
            assertThat(points).isNotNull();
        }
    }

    /** Run an operator without errors, and return what its threads do. */
    private Set<Point> record() throws InterruptedException {
        FaultPlan plan = new FaultPlan(FrameworkThreads.ROLES);
        try (ThreadOperator operator = new ThreadOperator(server, namespace(), plan)) {
            assertThat(operator.start()).isTrue();
            operator.round();
            operator.loseLease();
            operator.round();
            assertThat(operator.isRestarted()).isFalse();
            operator.stop();
        }
        return plan.points();
    }

    private static String namespace() {
        return "threads-" + NAMESPACES.incrementAndGet();
    }

    private static List<Point> sample(Set<Point> all) {
        Map<String, List<Point>> byRole = all.stream()
                .sorted()
                .collect(Collectors.groupingBy(point -> point.role().name(), TreeMap::new, Collectors.toList()));
        Random random = new Random(SEED);
        List<Point> sample = new ArrayList<>();
        for (List<Point> points : byRole.values()) {
            List<Point> shuffled = new ArrayList<>(points);
            Collections.shuffle(shuffled, random);
            sample.addAll(shuffled.subList(0, Math.min(SAMPLED_PER_ROLE, shuffled.size())));
        }
        return sample;
    }

    private void check(List<Point> cells, TestReporter reporter) throws Exception {
        AtomicInteger failed = new AtomicInteger();
        List<Callable<String>> tasks = cells.stream()
                .map(cell -> (Callable<String>) () -> run(cell, failed))
                .toList();
        List<String> violations = new ArrayList<>();
        ExecutorService executor = Executors.newFixedThreadPool(PARALLEL);
        try {
            for (Future<String> result : executor.invokeAll(tasks)) {
                if (!result.get().isEmpty()) {
                    violations.add(result.get());
                }
            }
        } finally {
            executor.shutdownNow();
        }
        reporter.publishEntry(
                "cells", cells.size() + ", with an error: " + failed + ", violations: " + violations.size());
        assertThat(violations).as("violations in %d cells", cells.size()).isEmpty();
    }

    /** Return which rule was violated, "" if none was. */
    private String run(Point cell, AtomicInteger failed) {
        FaultPlan plan = new FaultPlan(FrameworkThreads.ROLES);
        plan.failAt(cell);
        try (ThreadOperator operator = new ThreadOperator(server, namespace(), plan)) {
            if (operator.start()) {
                operator.round();
                if (LOSING_LEASE.contains(cell.role().name()) && !operator.isRestarted()) {
                    operator.loseLease();
                }
                if (!operator.isRestarted()) {
                    operator.round();
                }
                operator.stop();
            }
        } catch (Throwable e) {
            return cell + ": " + e;
        }
        if (plan.hasFailed()) {
            failed.incrementAndGet();
        }
        return "";
    }
}
