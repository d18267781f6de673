package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.internal.ControllerDefinition.AbandonedRuns;
import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What stays the same of a controller, and what is left of its former runs. */
class ControllerDefinitionTests {

    private static final Request A = new Request("ns", "a");

    private static <R> ControllerDefinition<R> of(String name, String cluster, OperatorMetrics metrics) {
        ControllerOptions options = ControllerOptions.defaults().withCluster(cluster);
        return ControllerDefinition.of(name, null, (request, context) -> Result.done(), options, metrics);
    }

    private static <R> ControllerDefinition<R> of(String name, String cluster) {
        return of(name, cluster, OperatorMetrics.NONE);
    }

    private static Worker<?> worker(Request request) {
        Worker<?> worker = mock();
        when(worker.isAlive()).thenReturn(true);
        when(worker.name()).thenReturn("worker-1");
        when(worker.current()).thenReturn(Optional.of(new ActiveRun(request, request, "id", 0)));
        return worker;
    }

    @Test
    void nameWhenNotValidIsRejected() {
        for (String name : List.of("", "-a", "a-", "A", "a_b", "a".repeat(64))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> of(name, ""))
                    .withMessageEndingWith("was '" + name + "'");
        }
        assertThat(of("a".repeat(63), "").name()).hasSize(63);
    }

    @Test
    void fullNameHasTheCluster() {
        assertThat(of("test", "").fullName()).isEqualTo("test");
        assertThat(of("test", "east").fullName()).isEqualTo("test@east");
    }

    @Test
    void requestsAreLocatedInTheClusterOfTheController() {
        assertThat(ControllerDefinitionTests.<Request>of("test", "").located(A)).isSameAs(A);
        ControllerDefinition<Request> east = of("test", "east");
        assertThat(east.located(A)).isEqualTo(A.in("east"));
        assertThat(east.located(A.in("west"))).isEqualTo(A.in("west"));
        assertThat(ControllerDefinitionTests.<Integer>of("test", "east").located(7))
                .isEqualTo(7);
    }

    @Test
    void requestsOfAnotherTypeAreNamedByTheirText() {
        assertThat(of("test", "east").nameOf(7)).isEqualTo(new Request("", "7", "east"));
        assertThat(of("test", "east").nameOf(A)).isSameAs(A);
    }

    @Test
    void metricsOfAControllerOfAClusterHaveItsName() {
        RecordingMetrics metrics = new RecordingMetrics();
        ControllerDefinition<Request> east = of("test", "east", metrics);
        east.metrics().succeeded();
        east.metrics().of("west").succeeded();
        assertThat(metrics.count("controller_runtime_reconcile_total{controller=test,result=success,cluster=east}"))
                .as("and of no other cluster")
                .isEqualTo(2);
        east.operatorMetrics().counter("other", "Others").increment();
        assertThat(metrics.count("other{cluster=east}")).isEqualTo(1);
    }

    @Test
    void metricsOfRequestsOfAJoinedClusterHaveItsNameUntilItLeaves() {
        RecordingMetrics metrics = new RecordingMetrics();
        ControllerMetrics home = of("test", "", metrics).metrics();
        String total = "controller_runtime_reconcile_total{controller=test,result=success";
        home.of("east").succeeded();
        assertThat(metrics.count(total + "}")).as("not joined").isEqualTo(1);
        home.joined("east");
        home.of("east").succeeded();
        home.of("east").succeeded();
        home.of("").succeeded();
        assertThat(metrics.count(total + ",cluster=east}")).isEqualTo(2);
        assertThat(metrics.count(total + "}")).isEqualTo(2);
        home.joined("east");
        assertThat(home.of("east")).as("joined twice").isSameAs(home.of("east")).isNotSameAs(home);
        home.left("east");
        assertThat(home.of("east")).isSameAs(home);
    }

    @Test
    void failuresAreCountedByWhatTheyAre() {
        RecordingMetrics metrics = new RecordingMetrics();
        ControllerMetrics counters = of("test", "", metrics).metrics();
        counters.failed(new IllegalStateException(), false);
        counters.failed(new IllegalStateException(), true);
        counters.failed(new StackOverflowError(), false);
        assertThat(metrics.count("controller_runtime_reconcile_total{controller=test,result=error}"))
                .isEqualTo(3);
        assertThat(metrics.count("controller_runtime_reconcile_errors_total{controller=test}"))
                .isEqualTo(3);
        assertThat(metrics.count("controller_runtime_terminal_reconcile_errors_total{controller=test}"))
                .isEqualTo(1);
        assertThat(metrics.count("controller_runtime_reconcile_panics_total{controller=test}"))
                .isEqualTo(1);
        counters.took(2_000_000_000L);
        assertThat(metrics.recorded("controller_runtime_reconcile_time_seconds{controller=test}"))
                .containsExactly(2.0);
    }

    @Test
    void abandonedRunsHoldTheirRequestsUntilTheirThreadsEnd() {
        AbandonedRuns runs = of("test", "").abandonedRuns();
        assertThat(runs.holds(A)).isFalse();
        Worker<?> worker = worker(A);
        try (CapturedLog log = CapturedLog.of(AbandonedRuns.class.getName())) {
            runs.add(List.of(worker));
            assertThat(log.lines(Level.ERROR))
                    .containsExactly(
                            "ERROR The reconciliation of test ns/a ignores its interrupt; its thread 'worker-1' is abandoned");
        }
        assertThat(runs.holds(A)).isTrue();
        assertThat(runs.holds(new Request("ns", "b"))).isFalse();
        assertThat(runs.requests()).containsExactly(A);
        when(worker.isAlive()).thenReturn(false);
        assertThat(runs.requests()).isEmpty();
        assertThat(runs.holds(A)).isFalse();
    }

    @Test
    void abandonedRunsOfAControllerOfAClusterAreThoseOfItsCluster() {
        AbandonedRuns runs = of("test", "east").abandonedRuns();
        runs.add(List.of(worker(new Request("", "7", "east"))));
        assertThat(runs.holds(new Request("", "7", "east"))).isTrue();
        assertThat(runs.holds(new Request("", "7"))).isFalse();
    }
}
