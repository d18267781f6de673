package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a worker does with requests and interrupts; the thread of the test is its thread. */
class WorkerTests extends WorkerFixture {

    @Test
    void runProcessesRequestsUntilTheQueueEnds() {
        queue.add("a");
        during = queue::shutDown;
        worker.run();
        assertThat(processed).containsExactly("a");
        assertThat(thread.interrupts).isZero();
    }

    @Test
    void runReturnsRequestsToTheQueue() {
        work("a", "b");
        assertThat(processed).containsExactly("a", "b");
        assertThat(isRunning("a")).isFalse();
        assertThat(isRunning("b")).isFalse();
        verify(processor, never()).recordFailure(any());
    }

    @Test
    void runWhenStoppedEndsWithoutTakingARequest() {
        worker.interruptForStop();
        queue.add("a");
        worker.run();
        assertThat(processed).isEmpty();
        assertThat(thread.interrupts).isEqualTo(1);
        assertThat(worker.isStopped()).isTrue();
    }

    @Test
    void runWhenTheProcessorFailsRetriesTheRequestAndContinues() {
        during = () -> {
            if (processed.size() == 1) {
                throw new StackOverflowError();
            }
        };
        try (CapturedLog log = CapturedLog.of(Worker.class.getName())) {
            work("a", "b");
            assertThat(log.lines(Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains("worker-1 could not finish the reconciliation of a; it is retried");
        }
        assertThat(processed).containsExactly("a", "b");
        assertThat(queue.retries("a")).isEqualTo(1);
        assertThat(queue.retries("b")).isZero();
        verify(processor, times(1)).recordFailure(any(StackOverflowError.class));
        assertThat(isRunning("a")).isFalse();
    }

    @Test
    void runWhenTheRateLimiterFailsTooRetriesAfterASecond() {
        RateLimiter<String> broken = mock();
        doAnswer(call -> {
                    throw new OutOfMemoryError("not really");
                })
                .when(broken)
                .next(any(), any());
        WorkQueue<String> other = WorkQueue.create(options.withRateLimiter(broken));
        Worker<String> its = new Worker<>(other, processor, null);
        other.add("a");
        during = () -> {
            its.retire();
            throw new StackOverflowError();
        };
        its.run();
        assertThat(other.snapshot().delayed()).isEqualTo(1);
    }

    @Test
    void runWhenTheQueueCannotBackOffRetriesAfterASecond() {
        WorkQueue<String> broken = spy(queue);
        doThrow(new OutOfMemoryError("not really")).when(broken).addRateLimited(any(), anyInt(), any());
        Worker<String> its = new Worker<>(broken, processor, null);
        broken.add("a", 7);
        during = () -> {
            its.retire();
            throw new StackOverflowError();
        };
        its.run();
        verify(broken)
                .addAfter(
                        org.mockito.ArgumentMatchers.<io.github.reconciler4j.workqueue.WorkItem<String>>any(),
                        org.mockito.ArgumentMatchers.eq(Duration.ofSeconds(1)),
                        org.mockito.ArgumentMatchers.eq(7));
    }

    @Test
    void runWhenRecordingAFailureFailsRetriesOnce() {
        doAnswer(call -> {
                    throw new OutOfMemoryError("not really");
                })
                .when(processor)
                .recordFailure(any());
        during = () -> {
            throw new StackOverflowError();
        };
        work("a");
        assertThat(queue.retries("a")).isEqualTo(1);
        assertThat(queue.snapshot().delayed()).isEqualTo(1);
        assertThat(queue.snapshot().inBackoff()).hasSize(1);
    }

    @Test
    void runWhenDividedProcessesWhatPassesOnly() {
        divide();
        TestGate.TestPass pass = gate.letPass("mine");
        queue.add("other");
        during = () -> assertThat(pass.exits).as("it is running").isZero();
        work("mine");
        assertThat(processed).containsExactly("mine");
        assertThat(pass.runs).isEqualTo(1);
        assertThat(pass.exits).isEqualTo(1);
        assertThat(isRunning("mine")).isFalse();
        assertThat(isRunning("other")).isFalse();
        verify(processor, never()).recordFailure(any());
    }

    /** Otherwise the shard could never move. */
    @Test
    void runWhenDividedExitsAlsoAfterAFailure() {
        divide();
        TestGate.TestPass pass = gate.letPass("mine");
        during = () -> {
            throw new StackOverflowError();
        };
        work("mine");
        assertThat(pass.exits).isEqualTo(1);
        assertThat(queue.retries("mine")).isEqualTo(1);
    }

    @Test
    void runWhenDividedExitsAlsoIfTheQueueFailsToo() {
        WorkQueue<String> broken = spy(queue);
        doThrow(new OutOfMemoryError("not really")).when(broken).addRateLimited(any(), anyInt(), any());
        doThrow(new OutOfMemoryError("not really"))
                .when(broken)
                .addAfter(
                        org.mockito.ArgumentMatchers.<io.github.reconciler4j.workqueue.WorkItem<String>>any(),
                        any(),
                        anyInt());
        Worker<String> its = new Worker<>(broken, processor, gate);
        TestGate.TestPass pass = gate.letPass("mine");
        broken.add("mine");
        during = () -> {
            its.retire();
            throw new StackOverflowError();
        };
        its.run();
        assertThat(pass.exits).isEqualTo(1);
    }

    @Test
    void runWhenItMayNotStartPostponesTheRequest() {
        divide();
        gate.letPass("mine");
        TestGate.TestPass expired = gate.letPass("expired");
        expired.mayStart = false;
        queue.add("expired", 9);
        work("mine");
        assertThat(processed).containsExactly("mine");
        assertThat(expired.exits).isEqualTo(1);
        assertThat(queue.snapshot().delayed()).isEqualTo(1);
        assertThat(queue.retries("expired")).isZero();
    }

    @Test
    void runWhenThePassIsRevokedInterruptsTheReconciliation() {
        divide();
        TestGate.TestPass pass = gate.letPass("mine");
        List<Integer> interrupts = new ArrayList<>();
        during = () -> {
            thread.interrupts = 0;
            pass.interrupt.run();
            worker.start(run());
            pass.interrupt.run();
            worker.end();
            interrupts.add(thread.interrupts); // it is not revoked
            pass.revoked = true;
            pass.interrupt.run();
            interrupts.add(thread.interrupts); // it has not started
            worker.start(run());
            interrupts.add(thread.interrupts);
            pass.interrupt.run();
            interrupts.add(worker.isStopped() ? thread.interrupts : -1);
            worker.end();
        };
        work("mine");
        assertThat(interrupts).containsExactly(0, 0, 1, 2);
        assertThat(worker.isStopped()).as("the next one").isFalse();
    }

    @Test
    void runWhenTheQueueFailsPausesUntilItIsRetired() throws Exception {
        WorkQueue<String> broken = mock();
        doAnswer(call -> {
                    throw new IllegalStateException("broken");
                })
                .when(broken)
                .take();
        Worker<String> its = new Worker<>(broken, processor, null);
        Thread own = new Thread(its, "its");
        long start = System.nanoTime();
        try (CapturedLog log = CapturedLog.of(Worker.class.getName())) {
            its.runOn(own);
            await("failure")
                    .atMost(LONG)
                    .untilAsserted(
                            () -> verify(processor, atLeastOnce()).recordFailure(any(IllegalStateException.class)));
            await("pause").atMost(LONG).until(() -> own.getState() == Thread.State.TIMED_WAITING);
            assertThat(its.isAlive()).isTrue();
            assertThat(its.join(0)).isFalse();
            assertThat(its.join(1)).isFalse();
            int calls = mockingDetails(broken).getInvocations().size();
            long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
            assertThat(calls).as("one a second").isLessThanOrEqualTo(2 + (int) seconds);
            FutureTask<Boolean> join = new FutureTask<>(() -> its.join(LONG.toNanos()));
            Thread joining = new Thread(join);
            joining.start();
            await("join").atMost(LONG).until(() -> joining.getState() == Thread.State.TIMED_WAITING);
            its.retire();
            assertThat(join.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(its.isAlive()).isFalse();
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("its failed and continues");
            assertThat(CompletableFuture.supplyAsync(its::isBusy).get(60, TimeUnit.SECONDS))
                    .as("no lock is left")
                    .isFalse();
        }
    }

    @Test
    void runWhenInterruptedFromOutsideContinues() {
        Thread own = new Thread(worker, "own");
        try (CapturedLog log = CapturedLog.of(Worker.class.getName())) {
            own.start();
            await("waits").atMost(LONG).until(() -> own.getState() == Thread.State.WAITING);
            own.interrupt();
            await("warning").atMost(LONG).until(() -> log.lines(Level.WARN).size() == 1);
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("was interrupted from outside");
            during = worker::retire;
            queue.add("a");
            await("end").atMost(LONG).until(() -> !own.isAlive());
        }
        assertThat(processed).containsExactly("a");
        verify(processor, never()).recordFailure(any());
    }
}
