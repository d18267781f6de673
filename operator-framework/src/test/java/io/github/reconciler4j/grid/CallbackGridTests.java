package io.github.reconciler4j.grid;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.fixtures.ForgedLines;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Every callback of the public API throws everything that can be thrown: exceptions, checked exceptions that are not declared,
 * errors of the JVM and of the code, and a throwable that is neither. Later events must arrive, the next call must work, and
 * health must show what cannot be trusted. {@link #callbacksWhenTheApiTakesANewOneAreInTheGrid} fails for a callback that has no
 * row; {@code -Dgrid.only=TEXT} runs the rows whose names contain the text.
 */
@Timeout(600)
class CallbackGridTests {

    private static final String ONLY = System.getProperty("grid.only", "");
    private static final int PARALLEL = 16;

    /** Interfaces that the framework implements, or that carry no code. */
    private static final Set<String> PROVIDED = Set.of(
            "ApiConnection",
            "Cache",
            "Client",
            "ClientCall",
            "ClientInterceptor.Next",
            "Cluster",
            "ConfigurableController",
            "Discovery",
            "EventRecorder",
            "Informer",
            "KindStatus",
            "KindStatus.Activity",
            "KindStatus.Content",
            "KindStatus.InitialSync",
            "LiveReader",
            "Manager",
            "ManagerExtension.Host",
            "ObjectEvent",
            "ObjectHeader",
            "ObjectPatch",
            "ObjectSnapshot",
            "ReconcileContext",
            "ReconcileObserver.Run",
            "RequestSink",
            "Reader",
            "ScaleClient",
            "SubresourceClient",
            "Subscription",
            "WorkItem",
            "RequestGate.Backlog",
            "Writer");

    /** Callbacks without a row, and why. */
    private static final Map<String, String> WITHOUT_ROW = Map.ofEntries(
            Map.entry("ClientInterceptor#forCluster", "thrown to the caller of Clusters.add"),
            Map.entry("Manager#extension(Function)", "thrown to the caller"),
            Map.entry("ManagerExtension#added", "must not throw"),
            Map.entry("ManagerExtension#removed", "must not throw"),
            Map.entry("ManagerExtension#adding", "thrown to the caller of Manager.add"),
            Map.entry("ManagerExtension#ended", "must not throw"),
            Map.entry("ManagerExtension#send", "thrown to the caller of the client"),
            Map.entry("ManagerExtension#status", "must not throw"),
            Map.entry("ManagerExtension.Options#cache", "thrown to the caller of Manager.create"),
            Map.entry("ManagerExtension.Options#create", "thrown to the caller of Manager.create"),
            Map.entry("ManagerExtension.Options#division", "thrown to the caller"),
            Map.entry("RequestGate#admits", "must not throw; the module for sharding has rows"),
            Map.entry("RequestGate#attach", "must not throw"),
            Map.entry("RequestGate#enter", "must not throw; the module for sharding has rows"),
            Map.entry("RequestGate#enter(Runnable)", "the worker passes a task of its own"),
            Map.entry("RequestGate.Pass#exit", "must not throw"),
            Map.entry("RequestGate.Pass#isRevoked", "must not throw"),
            Map.entry("RequestGate.Pass#mayStart", "must not throw"),
            Map.entry("RequestGate.Pass#run", "passes on what the reconciliation throws"),
            Map.entry("RequestGate.Pass#run(Runnable)", "passes on what the reconciliation throws"),
            Map.entry("WorkDivision#gate", "thrown to the caller"),
            Map.entry("WorkDivision#gate(BooleanSupplier)", "the builder passes a condition of its own"),
            Map.entry("WorkDivision#gate(Function)", "the module for sharding has rows"),
            Map.entry("WorkDivision#partOf", "thrown to the caller"),
            Map.entry("WorkDivision#parts", "thrown to the caller"),
            Map.entry("WorkScope#inCluster(Runnable)", "runs on a thread of the caller"),
            Map.entry("WorkScope#withServiceAccount(Runnable)", "runs on a thread of the caller"),
            Map.entry("ControllerCustomizer#customize", "builder.ControllerCustomizersTests"),
            Map.entry("ConfigurableController#customizeOptions(UnaryOperator)", "builder.ControllerCustomizersTests"),
            Map.entry("EventHandler#onServedChange", "cache.OptionalInformerTests"),
            Map.entry("ObjectListener#onServedChange", "cache.OptionalInformerTests"),
            Map.entry("EventPredicate#and", "the framework implements it"),
            Map.entry("EventPredicate#or", "the framework implements it"),
            Map.entry("EventPredicate#negate", "the framework implements it"),
            Map.entry("OperatorMetrics.Counter#increment", "calls add"),
            Map.entry("OperatorMetrics#withLabel", "the framework implements it"),
            Map.entry("RequestSource#cluster", "returns a constant"),
            Map.entry("RequestSource#name", "returns a constant"),
            Map.entry("RequestSource.Running#isAlive", "is asked as undelivered is"),
            Map.entry("RequestSource.Running#notReadyReason", "is asked as undelivered is"),
            Map.entry("ManagedComponent#cluster", "returns a constant"),
            Map.entry("ManagedComponent#notReadyReason", "manager.CallbackErrorTests"),
            Map.entry("ManagedComponent#servesBeforeCaches", "returns a constant"),
            Map.entry("MicrometerMetrics#gauge(DoubleSupplier)", "the metrics library calls it"),
            Map.entry("OperatorMetrics#gauge(DoubleSupplier)", "the metrics library calls it"),
            Map.entry("PartitionKey#namespaceOf(Function)", "cache.CacheShardsTests"),
            Map.entry("PartitionKey#uidOf(Function)", "cache.CacheShardsTests"),
            Map.entry("Threads#create(Runnable)", "runs on a thread of the caller"),
            Map.entry("Threads#daemon(Runnable)", "runs on a thread of the caller"),
            Map.entry("Threads#daemon(Consumer)", "ThreadGridTests"),
            Map.entry("Threads#keepingAlive(Runnable)", "runs on a thread of the caller"),
            Map.entry("Threads#runLater(Runnable)", "only tasks of the framework"),
            Map.entry("Threads#repeat(Consumer)", "ThreadsTests"),
            Map.entry("Threads.Step#run", "ThreadsTests"),
            Map.entry("TimeSource#await", "must not throw"),
            Map.entry("TimeSource#awaitNanos", "must not throw"),
            Map.entry("TimeSource#awaitUninterruptibly", "must not throw"),
            Map.entry("TimeSource#instant", "must not throw"),
            Map.entry("TimeSource#nanoTime", "must not throw; ThreadGridTests"),
            Map.entry("TimeSource#onJump", "must not throw"),
            Map.entry("TimeSource#onJump(Runnable)", "only tests jump"),
            Map.entry("TimeSource#park", "must not throw"),
            Map.entry("TimeSource#poll", "must not throw"),
            Map.entry("TimeSource#sleep", "must not throw"),
            Map.entry("WorkQueueMetrics#added", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#depth", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#depth(IntSupplier)", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#longestRunning", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#longestRunning(DoubleSupplier)", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#retried", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#unfinishedWork", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#unfinishedWork(DoubleSupplier)", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#waited", "WorkQueueMetricsTests"),
            Map.entry("WorkQueueMetrics#worked", "WorkQueueMetricsTests"));

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");
    private final KubernetesServer server = KubernetesServer.start();

    /** The failures are formatted all the same, but there are too many to show. */
    @BeforeEach
    void silenceTheLog() {
        log.setAdditive(false);
    }

    @AfterEach
    void stop() {
        log.setAdditive(true);
        server.close();
    }

    private static List<CallbackRow> rows() {
        return Stream.of(ControllerCallbacks.rows(), ManagerCallbacks.rows())
                .flatMap(List::stream)
                .toList();
    }

    private static List<DirectRow> directRows() {
        return Stream.of(DirectCallbacks.rows(), LifecycleCallbacks.rows())
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void callbacksWhenTheyThrowAnythingDelayOnlyThemselves(TestReporter reporter) throws Exception {
        List<CallbackRow> rows =
                rows().stream().filter(row -> row.toString().contains(ONLY)).toList();
        List<Callable<List<String>>> tasks = new ArrayList<>();
        for (CallbackRow row : rows) {
            String namespace = "row-" + tasks.size();
            tasks.add(() -> row.run(server, namespace));
        }
        List<DirectRow> direct = directRows().stream()
                .filter(row -> row.toString().contains(ONLY))
                .toList();
        for (DirectRow row : direct) {
            String namespace = "direct-" + tasks.size();
            tasks.add(() -> run(row, namespace));
        }
        List<String> violations = new ArrayList<>();
        ExecutorService executor = Executors.newFixedThreadPool(PARALLEL);
        try (ForgedLines forged = ForgedLines.watch()) {
            for (Future<List<String>> result : executor.invokeAll(tasks)) {
                violations.addAll(result.get());
            }
            assertThat(forged.found())
                    .as("lines of the log that a callback has started")
                    .isEmpty();
        } finally {
            executor.shutdownNow();
        }
        int cells = tasks.size() * Thrower.kinds().size();
        reporter.publishEntry("cells", cells + ", violations: " + violations.size());
        assertThat(violations).as("violations in %d cells", cells).isEmpty();
    }

    private List<String> run(DirectRow row, String namespace) {
        try (GridOperator operator = new GridOperator(server, namespace, options -> options)) {
            operator.manager.start();
            return row.run(operator);
        }
    }

    @Test
    void callbacksWhenTheApiTakesANewOneAreInTheGrid() {
        Set<String> found = new TreeSet<>(CallbackTypes.all());
        found.removeIf(
                callback -> PROVIDED.contains(callback.substring(0, callback.indexOf('#'))) && !callback.endsWith(")"));
        Set<String> covered = new TreeSet<>(WITHOUT_ROW.keySet());
        rows().forEach(row -> covered.addAll(row.covers));
        directRows().forEach(row -> covered.addAll(row.covers()));
        assertThat(covered)
                .as("callbacks; add a row for a new one to the grid, or say here why it needs none")
                .containsExactlyInAnyOrderElementsOf(found);
    }
}
