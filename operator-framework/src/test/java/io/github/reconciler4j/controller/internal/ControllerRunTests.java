package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The queue, the sources and the requests of one run. */
class ControllerRunTests extends ControllerRunFixture {

    @Test
    void startStartsTheSourcesAndThenTheWorkers() throws Exception {
        start(2);
        assertThat(calls).containsExactly("start source", "sync source");
        assertThat(threads())
                .contains("controller-runs-watchdog", "controller-runs-worker-1", "controller-runs-worker-2");
        assertThat(run.deadThreads()).isEmpty();
        source.send(A);
        awaitRuns(1);
        assertThat(contexts.get(0).triggers()).containsExactly(Trigger.external("source"));
    }

    @Test
    void startWhenASourceFailsThrowsItsFailure() {
        source.failure = new IllegalStateException("no way");
        assertThatIllegalStateException()
                .isThrownBy(() -> run.start(List.of(source)))
                .withCause(source.failure);
        assertThat(threads()).noneMatch(name -> name.contains("worker") || name.contains("watchdog"));
        run.stop(Duration.ZERO);
        assertThat(calls).containsExactly("start source");
    }

    @Test
    void warmUpStartsTheSourcesAndStartGoesOnWithThem() throws Exception {
        run.warmUp(List.of(source));
        assertThat(calls).containsExactly("start source");
        source.send(A);
        assertThat(run.queued()).isEqualTo(1);
        assertThat(run.busy()).isZero();
        assertThat(threads()).isEmpty();
        start(1);
        assertThat(calls).containsExactly("start source", "sync source");
        awaitRuns(1);
    }

    @Test
    void resizeBeforeTheStartStartsNoWorker() throws Exception {
        run.resize(() -> 3);
        assertThat(threads()).isEmpty();
        start(1);
        run.resize(() -> 2);
        assertThat(threads()).contains("controller-runs-worker-2").doesNotContain("controller-runs-worker-3");
    }

    @Test
    void addStartsOneMoreSource() throws Exception {
        start(1);
        Source more = new Source("more");
        run.add(more);
        assertThat(calls).containsExactly("start source", "sync source", "start more");
        run.add(more);
        assertThat(calls).hasSize(3);
        Source failing = new Source("failing");
        failing.failure = new java.io.IOException("no way");
        assertThatThrownBy(() -> run.add(failing)).isSameAs(failing.failure);
    }

    @Test
    void removeClosesThatSourceOnly() throws Exception {
        start(1);
        Source more = new Source("more");
        run.add(more);
        run.remove(new Source("unknown"));
        run.remove(more);
        run.remove(more);
        assertThat(calls).containsExactly("start source", "sync source", "start more", "close more");
        more.send(A);
        source.send(B);
        awaitRuns(1);
        assertThat(contexts.get(0).request()).isEqualTo(B);
    }

    @Test
    void requestsOfSourcesWaitWithTheirDelayAndPriority() throws Exception {
        start(0);
        assertThat(source.sink.name()).isEqualTo("runs");
        source.sink.add(A, Duration.ofSeconds(5), 7, Trigger.external("source"));
        assertThat(run.queued()).isZero();
        time.advance(Duration.ofSeconds(5));
        assertThat(run.queue().depth()).containsExactly(Map.entry(7, 1));
    }

    @Test
    void requestsAreLocatedInTheClusterOfTheController() throws Exception {
        create(options.withCluster("east"));
        start(1);
        source.send(A);
        awaitRuns(1);
        run.requeue(A);
        awaitRuns(2);
        assertThat(contexts).extracting(context -> context.request()).containsExactly(A.in("east"), A.in("east"));
        assertThat(contexts.get(0).triggers()).isNotEmpty();
        assertThat(contexts.get(1).triggers()).containsExactly(Trigger.external("requeue"));
    }

    @Test
    void requestsThatTheGateDoesNotAdmitAreNotEnqueued() throws Exception {
        TestGate<Request> gate = divide();
        start(0);
        source.send(A);
        assertThat(run.queue().depth()).isEmpty();
        gate.letPass(A);
        source.send(A);
        source.send(B);
        assertThat(run.queued()).isEqualTo(1);
    }

    private TestGate<Request> divide() {
        TestGate<Request> gate = new TestGate<>();
        run = new ControllerRun<>(definition, gate);
        return gate;
    }

    @Test
    void failuresOfRequestsThatTheGateRemovesAreForgotten() throws Exception {
        TestGate<Request> gate = divide();
        gate.letPass(A);
        reconciler = failing();
        start(1);
        source.send(A);
        eventually("failed", () -> run.failingCount() == 1);
        eventually("in backoff", () -> run.queue().backoff() == 1);
        assertThat(gate.queue.waiting()).containsExactly(A);
        gate.queue.forget(A);
        assertThat(run.failingCount()).isZero();
        gate.queue.add(B, 7);
        gate.queue.remove(A);
        assertThat(run.queue().delayed()).isZero();
    }

    /** They are in no queue, and would be counted for as long as the process lives. */
    @Test
    void requestsThatWaitForAChangeOrAPauseAreForgottenWithTheirPart() throws Exception {
        TestGate<Request> gate = divide();
        gate.letPass(A);
        reconciler = (request, context) -> {
            throw new TerminalException("it waits for a change");
        };
        start(1);
        source.send(A);
        eventually("failed", () -> run.stalledCount() == 1);
        Set<Request> paused = ConcurrentHashMap.newKeySet();
        paused.add(B);
        definition.paused().are(paused);
        assertThat(gate.queue.waiting()).containsExactlyInAnyOrder(A, B);
        gate.queue.waiting().forEach(gate.queue::remove);
        assertThat(run.stalledCount()).isZero();
        assertThat(run.failingCount()).isZero();
        assertThat(definition.paused().count()).isZero();
        assertThat(gate.queue.waiting()).isEmpty();
    }

    @Test
    void failingRequestsAreListedUntilTheySucceed() throws Exception {
        reconciler = failing();
        start(1);
        source.send(A);
        eventually("failed", () -> run.failingCount() == 1);
        assertThat(run.failing(0)).isEmpty();
        assertThat(run.failing(2)).extracting(FailingRequest::request).containsExactly(A);
        eventually("retry", () -> run.failing(2).get(0).next().isPresent());
    }

    @Test
    void sourcesThatAreNotReadySayWhy() throws Exception {
        Source other = new Source("other");
        source.reason = "no right";
        assertThat(run.waitingFor()).isEmpty();
        run.warmUp(List.of(source, other));
        assertThat(run.waitingFor()).containsExactly("other", "source: no right");
        assertThat(run.notReadyReasons()).containsExactly("source: no right");
        other.reason = "no definition";
        assertThat(run.notReadyReasons()).containsExactly("other: no definition", "source: no right");
        run.resize(() -> 1);
        run.start(List.of(source));
        assertThat(run.waitingFor()).as("started").isEmpty();
        assertThat(run.notReadyReasons()).isEmpty();
    }

    @Test
    void sourcesThatHaveSyncedAreNotWaitedFor() throws Exception {
        Source other = new Source("other");
        other.failure = new IllegalStateException("no way");
        run.warmUp(List.of(source));
        assertThat(run.waitingFor()).containsExactly("source");
        assertThatIllegalStateException().isThrownBy(() -> run.start(List.of(source, other)));
        eventually("synced", () -> run.waitingFor().equals(List.of("other")));
    }

    @Test
    void undeliveredObjectsAreCountedBySource() throws Exception {
        Source same = new Source("source");
        Source good = new Source("good");
        start(1);
        run.add(same);
        run.add(good);
        assertThat(run.undelivered()).isEmpty();
        source.undelivered = 2;
        same.undelivered = 3;
        assertThat(run.undelivered()).isEqualTo(Map.of("source", 5));
        good.undelivered = 1;
        assertThat(run.undelivered()).isEqualTo(Map.of("good", 1, "source", 5));
        assertThat(metrics.gauge("reconciler4j_controller_undelivered_objects{controller=runs}"))
                .isEqualTo(6);
    }

    @Test
    void deadThreadsAreNamedWhileTheRunContinues() throws Exception {
        source.dead = true;
        assertThat(run.deadThreads()).as("not started").isEmpty();
        start(1);
        assertThat(run.deadThreads()).containsExactly("source source");
        run.stop(Duration.ZERO);
        assertThat(run.deadThreads()).as("stopped").isEmpty();
    }

    @Test
    void queueReportsItsMetrics() throws Exception {
        reconciler = (request, context) -> {
            time.advance(Duration.ofSeconds(2));
            throw new IllegalStateException("no luck");
        };
        start(0);
        source.send(A);
        time.advance(Duration.ofSeconds(3));
        run.resize(() -> 1);
        eventually("retried", () -> run.queue().backoff() == 1 && run.queue().running() == 0);
        String labels = "{name=runs,controller=runs}";
        assertThat(metrics.count("workqueue_adds_total" + labels)).isEqualTo(1);
        assertThat(metrics.count("workqueue_retries_total" + labels)).isEqualTo(1);
        assertThat(metrics.recorded("workqueue_queue_duration_seconds" + labels))
                .containsExactly(3.0);
        eventually(
                "worked",
                () -> metrics.recorded("workqueue_work_duration_seconds" + labels)
                        .equals(List.of(2.0)));
    }

    @Test
    void gaugesReportTheRunUntilItStops() throws Exception {
        start(3);
        assertThat(metrics.gauge("controller_runtime_max_concurrent_reconciles{controller=runs}"))
                .isEqualTo(3);
        source.send(A);
        awaitRuns(1);
        assertThat(metrics.gaugeNames())
                .contains("workqueue_depth{name=runs,controller=runs,priority=0}")
                .hasSize(10);
        run.stop(Duration.ofSeconds(30));
        assertThat(metrics.gaugeNames()).isEmpty();
    }

    @Test
    void detachLetsAllSourcesForgetTheController() {
        Source failing = new Source("failing");
        failing.failure = new NoClassDefFoundError("broken");
        try (CapturedLog log = CapturedLog.of(ControllerRun.class.getName())) {
            ControllerRun.detach("test", List.<RequestSource<?>>of(failing, source));
            assertThat(log.lines(Level.WARN))
                    .containsExactly("WARN A source of controller test could not be detached +stack");
        }
        assertThat(calls).containsExactly("detach failing from test", "detach source from test");
    }
}
