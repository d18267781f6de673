package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.support.BusyKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the processor does with a request and with the outcome of its reconciliation. */
class RequestProcessorTests extends RequestProcessorFixture {

    private static final Trigger TRIGGER = Trigger.external("source");

    @Test
    void successForgetsTheFailuresAndIsCounted() {
        reconciler = failing();
        process(A, 7);
        assertThat(queue.retries(A)).isEqualTo(1);
        assertThat(processor.failures().count()).isEqualTo(1);
        reconciler = (request, context) -> Result.done();
        process(A, 7);
        assertThat(contexts).extracting(ReconcileContext::attempt).containsExactly(1, 2);
        assertThat(queue.retries(A)).isZero();
        assertThat(processor.failures().count()).isZero();
        assertThat(results("success")).isEqualTo(1);
        assertThat(results("error")).isEqualTo(1);
        assertThat(queue.size()).isZero();
        assertThat(ended).containsExactly(Outcome.ERROR, Outcome.SUCCESS);
    }

    @Test
    void requeueAfterEnqueuesTheRequestWithItsPriority() {
        queue.addRateLimited(A, 7);
        reconciler = (request, context) -> Result.requeueAfter(Duration.ofSeconds(5));
        process(A, 7);
        assertThat(queue.retries(A)).isZero();
        assertThat(queue.snapshot().delayed()).isEqualTo(1);
        assertThat(queue.snapshot().backoff()).isZero();
        time.advance(Duration.ofSeconds(5));
        assertThat(queue.snapshot().depth()).containsExactly(java.util.Map.entry(7, 1));
        assertThat(results("requeue_after")).isEqualTo(1);
        assertThat(results("success")).isZero();
        reconciler =
                (request, context) -> Result.requeueAfter(Duration.ofSeconds(5)).withPriority(3);
        process(A, 7);
        time.advance(Duration.ofSeconds(5));
        assertThat(queue.snapshot().depth()).containsExactly(java.util.Map.entry(3, 1));
        assertThat(ended).containsExactly(Outcome.REQUEUE_AFTER, Outcome.REQUEUE_AFTER);
    }

    @Test
    void requeueWithBackoffCountsAsARetryAndNotAsAnError() {
        reconciler = (request, context) -> Result.requeueWithBackoff();
        process(A, 7);
        assertThat(queue.retries(A)).isEqualTo(1);
        assertThat(queue.snapshot().inBackoff())
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.priority()).isEqualTo(7));
        assertThat(results("requeue")).isEqualTo(1);
        assertThat(counter("reconcile_errors_total")).isZero();
        assertThat(processor.failures().count()).isZero();
        assertThat(ended).containsExactly(Outcome.REQUEUE);
    }

    @Test
    void failureEnqueuesTheRequestAgainWithItsTriggers() {
        reconciler = failing();
        triggers.record(A, TRIGGER);
        process(A, 7);
        assertThat(contexts.get(0).triggers()).containsExactly(TRIGGER);
        assertThat(triggers.take(A)).containsExactly(TRIGGER);
        assertThat(queue.snapshot().inBackoff())
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.priority()).isEqualTo(7));
        assertThat(counter("reconcile_errors_total")).isEqualTo(1);
        assertThat(counter("terminal_reconcile_errors_total")).isZero();
        assertThat(counter("reconcile_timeouts_total")).isZero();
        assertThat(definition.vmFailures().worst()).isEmpty();
    }

    @Test
    void failureWhenTerminalDoesNotEnqueueTheRequest() {
        reconciler = (request, context) -> {
            throw new TerminalException("bad spec");
        };
        triggers.record(A, TRIGGER);
        process(A, 7);
        assertThat(triggers.take(A)).isEmpty();
        assertThat(queue.snapshot().delayed()).isZero();
        assertThat(counter("reconcile_errors_total")).isEqualTo(1);
        assertThat(counter("terminal_reconcile_errors_total")).isEqualTo(1);
        assertThat(processor.failures().failing(queue.snapshot(), 1))
                .extracting(FailingRequest::request)
                .containsExactly(A);
        assertThat(processor.failures().count()).isEqualTo(1);
    }

    @Test
    void failureOfTheJvmIsRecorded() {
        reconciler = (request, context) -> {
            throw new StackOverflowError();
        };
        process(A, 7);
        assertThat(definition.vmFailures().worst().orElseThrow().name()).isEqualTo("StackOverflowError");
        assertThat(counter("reconcile_panics_total")).isEqualTo(1);
        processor.recordFailure(new OutOfMemoryError("not really"));
        assertThat(definition.vmFailures().worst().orElseThrow().name()).isEqualTo("OutOfMemoryError");
    }

    @Test
    void nullAsResultIsAFailure() {
        reconciler = (request, context) -> null;
        process(A, 7);
        assertThat(processor.failures().failing(queue.snapshot(), 1).get(0).error())
                .isEqualTo("NullPointerException: The reconciler returned null; return Result.done()");
        processor.forgetFailures(A);
        assertThat(processor.failures().count()).isZero();
    }

    @Test
    void reconciliationThatTookTooLongIsCountedAndItsFailureSaysSo() {
        create(options.withReconcileTimeout(Duration.ofHours(1)), null);
        reconciler = (request, context) -> {
            worker.timeOut(worker.current().orElseThrow());
            throw new InterruptedException();
        };
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            process(A, 7);
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains(" after its time limit of PT1H: ");
        }
        assertThat(counter("reconcile_timeouts_total")).isEqualTo(1);
        assertThat(counter("reconcile_errors_total")).isEqualTo(1);
        reconciler = failing();
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            process(A, 7);
            assertThat(log.lines(Level.DEBUG)).singleElement().asString().doesNotContain("time limit");
        }
        assertThat(counter("reconcile_timeouts_total")).isEqualTo(1);
    }

    @Test
    void failureWhenTheControllerStopsIsNeitherCountedNorRetried() {
        reconciler = (request, context) -> {
            worker.interruptForStop();
            throw new InterruptedException();
        };
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            process(A, 7);
            assertThat(log.lines(Level.INFO))
                    .containsExactly(
                            "INFO Reconciliation of test ns/a was interrupted because the controller stops or its"
                                    + " part moves: InterruptedException");
        } finally {
            Thread.interrupted();
        }
        assertThat(ended).containsExactly(Outcome.STOPPED);
        assertThat(queue.snapshot().delayed()).isZero();
        assertThat(counter("reconcile_errors_total")).isZero();
        assertThat(processor.failures().count()).isZero();
        assertThat(metrics.recorded(TIME)).hasSize(1);
    }

    @Test
    void reconciliationIsTheCurrentOneOfTheWorkerAndTimed() {
        long start = System.nanoTime();
        reconciler = (request, context) -> {
            assertThat(worker.current()).hasValueSatisfying(run -> {
                assertThat(run.request()).isEqualTo(A);
                assertThat(run.reconcileId()).isEqualTo(context.reconcileId());
                assertThat(run.ageNanos(System.nanoTime())).isBetween(0L, System.nanoTime() - start);
            });
            return Result.done();
        };
        process(A, 7);
        assertThat(results("success")).isEqualTo(1);
        assertThat(worker.isBusy()).isFalse();
        assertThat(metrics.recorded(TIME))
                .singleElement()
                .satisfies(seconds -> assertThat(seconds).isBetween(0.0, (System.nanoTime() - start) / 1e9));
    }

    @Test
    void requestOfAnAbandonedReconciliationWaitsASecond() throws Exception {
        CountDownLatch let = new CountDownLatch(1);
        Worker<Request> abandoned = new Worker<>(queue, processor, null);
        Thread thread = new Thread(() -> {
            try {
                let.await();
            } catch (InterruptedException e) {
                // ends
            }
        });
        abandoned.runOn(thread);
        abandoned.start(new Worker.ActiveRun(A, A, "id", 0));
        definition.abandonedRuns().add(List.of(abandoned));
        process(A, 7);
        assertThat(contexts).isEmpty();
        assertThat(queue.snapshot().delayed()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(queue.snapshot().depth()).containsExactly(java.util.Map.entry(7, 1));
        process(new Request("ns", "b"), 9);
        assertThat(contexts).as("another one").hasSize(1);
        let.countDown();
        thread.join();
        process(A, 7);
        assertThat(contexts).hasSize(2);
    }

    @Test
    void requestThatIsReconciledAllTheTimeIsReportedOnce() {
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            for (int i = 0; i < 2000; i++) {
                process(A, 7);
                time.advance(Duration.ofMillis(10));
            }
            assertThat(processor.busy()).extracting(BusyKeys.Rate::key).containsExactly(A);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith("WARN Controller test reconciles ns/a ");
        }
    }

    @Test
    void reportInterruptNamesTheWorkerOnce() {
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            processor.reportInterrupt("worker-1");
            processor.reportInterrupt("worker-1");
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("worker-1 found its interrupt flag set");
        }
    }

    /** Its stack trace cannot be read, which the log does not expect. */
    private static final class BrokenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void processWhenTheExceptionIsBrokenItselfHasEnqueuedTheRequestAndLeavesNothing() {
        reconciler = (request, context) -> {
            throw new BrokenException();
        };
        process(A, 7);
        assertThat(queue.snapshot().backoff()).isEqualTo(1);
        assertThat(ended).containsExactly(Outcome.ERROR);
        assertThat(org.slf4j.MDC.getCopyOfContextMap()).isNullOrEmpty();
    }
}
