package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.reconcile.Request;
import org.junit.jupiter.api.Test;

/** The start and end of a reconciliation, and who interrupts it. */
class WorkerInterruptTests extends WorkerFixture {

    @Test
    void endSaysWhetherTheWatchdogInterruptedIt() {
        ActiveRun run = run();
        worker.start(run);
        assertThat(worker.current()).contains(run);
        assertThat(worker.isBusy()).isTrue();
        worker.timeOut(run());
        assertThat(run.isTimedOut()).isFalse();
        assertThat(thread.interrupts).isZero();
        worker.timeOut(run);
        assertThat(run.isTimedOut()).isTrue();
        assertThat(thread.interrupts).isEqualTo(1);
        Thread.currentThread().interrupt();
        assertThat(worker.end()).isTrue();
        assertThat(Thread.interrupted()).isFalse();
        verify(processor, never()).reportInterrupt(any());
        assertThat(worker.current()).isEmpty();
        assertThat(worker.isBusy()).isFalse();
        worker.start(run());
        assertThat(worker.end()).isFalse();
    }

    @Test
    void endWhenUserCodeLeftAnInterruptReportsAndClearsIt() {
        worker.start(run());
        worker.end();
        verify(processor, never()).reportInterrupt(any());
        worker.start(run());
        Thread.currentThread().interrupt();
        assertThat(worker.end()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
        verify(processor, times(1)).reportInterrupt("worker-1");
    }

    @Test
    void endWhenStoppedLeavesTheThreadInterrupted() {
        worker.start(run());
        worker.interruptForStop();
        assertThat(thread.interrupts).isEqualTo(1);
        Thread.currentThread().interrupt();
        worker.end();
        assertThat(Thread.interrupted()).isTrue();
        verify(processor, never()).reportInterrupt(any());
    }

    @Test
    void retireInterruptsAnIdleWorkerOnly() {
        worker.start(run());
        worker.retire();
        assertThat(thread.interrupts).isZero();
        worker.end();
        worker.retire();
        assertThat(thread.interrupts).isEqualTo(1);
    }

    @Test
    void startWhenRetiredMeanwhileDoesNotStartInterrupted() {
        Thread.currentThread().interrupt();
        worker.start(run());
        assertThat(Thread.currentThread().isInterrupted()).as("not retired").isTrue();
        worker.end();
        worker.retire();
        Thread.currentThread().interrupt();
        worker.start(run());
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        worker.end();
        worker.interruptForStop();
        Thread.currentThread().interrupt();
        worker.start(run());
        assertThat(Thread.currentThread().isInterrupted()).as("stopped").isTrue();
    }

    @Test
    void nameWithoutAThreadIsWorker() throws InterruptedException {
        Worker<String> idle = new Worker<>(queue, processor, null);
        assertThat(idle.name()).isEqualTo("worker");
        assertThat(idle.thread()).isNull();
        assertThat(idle.isAlive()).isFalse();
        assertThat(idle.join(1)).isTrue();
        idle.retire();
        assertThat(worker.name()).isEqualTo("worker-1");
        assertThat(worker.thread()).isSameAs(thread);
    }

    @Test
    void ageIsTheTimeSinceItsStart() {
        ActiveRun run = new ActiveRun("x", new Request("a", "x"), "id", 40);
        assertThat(run.ageNanos(100)).isEqualTo(60);
        assertThat(run.request()).isEqualTo(new Request("a", "x"));
        assertThat(run.reconcileId()).isEqualTo("id");
        assertThat(run.isStuck()).isFalse();
        run.markStuck();
        assertThat(run.isStuck()).isTrue();
    }
}
