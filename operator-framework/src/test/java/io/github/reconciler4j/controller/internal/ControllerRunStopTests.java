package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a run. */
class ControllerRunStopTests extends ControllerRunFixture {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch let = new CountDownLatch(1);
    private final AtomicInteger interrupts = new AtomicInteger();

    @AfterEach
    void letAllEnd() {
        let.countDown();
    }

    /** Returns when the test lets it, however often it is interrupted. */
    private RequestReconciler<Request> stubborn() {
        return (request, context) -> {
            boolean done = false;
            while (!done) {
                try {
                    let.await();
                    done = true;
                } catch (InterruptedException e) {
                    interrupts.incrementAndGet();
                }
            }
            return Result.done();
        };
    }

    private void startBusy() throws InterruptedException {
        reconciler = stubborn();
        start(1);
        source.send(A);
        awaitRuns(1);
        eventually("busy", () -> run.busy() == 1);
    }

    /** Stops on a thread of its own; returns whether that is interrupted at the end. */
    private FutureTask<Boolean> stop(Duration grace) {
        return new FutureTask<>(() -> {
            run.stop(grace);
            return Thread.interrupted();
        });
    }

    private static void awaitWaiting(Thread thread) {
        eventually("waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void stopClosesSourcesAndEndsAllThreads() throws Exception {
        start(2);
        run.stop(LONG);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(calls).containsExactly("start source", "sync source", "close source");
        assertThat(threads()).isEmpty();
        assertThat(run.queue().shuttingDown()).isTrue();
        assertThat(definition.abandonedRuns().requests()).isEmpty();
    }

    @Test
    void stopLetsReconciliationsFinish() throws Exception {
        startBusy();
        FutureTask<Boolean> stop = stop(Duration.ofNanos(-1));
        Thread stopping = new Thread(stop);
        stopping.start();
        awaitWaiting(stopping);
        assertThat(threads()).contains("controller-runs-watchdog");
        let.countDown();
        assertThat(stop.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(interrupts).hasValue(0);
        assertThat(threads()).isEmpty();
    }

    @Test
    void stopAfterTheGracePeriodInterruptsAndAbandonsReconciliations() throws Exception {
        create(options.withInterruptTimeout(Duration.ZERO));
        startBusy();
        run.stop(Duration.ZERO);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        eventually("interrupted", () -> interrupts.get() == 1);
        assertThat(definition.abandonedRuns().requests()).containsExactly(A);
        assertThat(threads()).containsExactly("controller-runs-worker-1");
        let.countDown();
        eventually("ended", () -> definition.abandonedRuns().requests().isEmpty());
    }

    @Test
    void stopWhenReconciliationsObeyTheInterruptAbandonsNone() throws Exception {
        reconciler = (request, context) -> {
            let.await();
            return Result.done();
        };
        start(1);
        source.send(A);
        awaitRuns(1);
        run.stop(Duration.ZERO);
        assertThat(threads()).isEmpty();
        assertThat(definition.abandonedRuns().requests()).isEmpty();
        assertThat(metrics.count("controller_runtime_reconcile_total{controller=runs,result=error}"))
                .isZero();
    }

    @Test
    void interruptOfTheCallerEndsTheGracePeriodAndThenTheWait() throws Exception {
        startBusy();
        FutureTask<Boolean> stop = stop(LONG.multipliedBy(10));
        Thread stopping = new Thread(stop);
        stopping.start();
        awaitWaiting(stopping);
        assertThat(interrupts).hasValue(0);
        stopping.interrupt();
        eventually("interrupted", () -> interrupts.get() == 1);
        assertThat(definition.abandonedRuns().requests()).isEmpty();
        awaitWaiting(stopping);
        stopping.interrupt();
        assertThat(stop.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(definition.abandonedRuns().requests()).containsExactly(A);
        assertThat(threads()).containsExactly("controller-runs-worker-1");
    }

    @Test
    void interruptOfTheCallerInTheGracePeriodIsKept() throws Exception {
        startBusy();
        FutureTask<Boolean> stop = stop(LONG.multipliedBy(10));
        Thread stopping = new Thread(stop);
        stopping.start();
        awaitWaiting(stopping);
        stopping.interrupt();
        eventually("interrupted", () -> interrupts.get() == 1);
        let.countDown();
        assertThat(stop.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(definition.abandonedRuns().requests()).isEmpty();
    }

    @Test
    void interruptOfTheCallerWithoutWorkersIsKept() throws Exception {
        start(0);
        Thread.currentThread().interrupt();
        run.stop(LONG);
        assertThat(Thread.interrupted()).isTrue();
        eventually("the watchdog ends", () -> threads().isEmpty());
    }

    @Test
    void stopOfARunThatWasOnlyWarmEndsItsSources() throws Exception {
        run.warmUp(java.util.List.of(source));
        run.stop(LONG);
        assertThat(calls).containsExactly("start source", "close source");
    }
}
