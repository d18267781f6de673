package io.github.reconciler4j.controllers.internal.support;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.support.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends several requests at the same time, on behalf of the reconciler that asks for them. The threads end when they are idle.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class PodCalls {

    private static final int THREADS = 16;
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ExecutorService threads = Threads.pool(THREADS, IDLE, task -> Threads.daemon("pod-calls", task));

    /** Create one without threads. */
    public PodCalls() {}

    /**
     * Run all calls; return how many succeeded, and the first failure. If all threads are busy, the caller runs calls itself.
     *
     * @throws IllegalStateException if a call ends with an error; all calls have ended then, too
     */
    public SlowStart.Outcome runAll(List<? extends Runnable> calls) {
        if (calls.size() == 1) {
            return runAlone(calls.get(0));
        }
        AtomicInteger successes = new AtomicInteger();
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        List<Future<?>> running = new ArrayList<>();
        for (Runnable call : calls) {
            running.add(start(WriteScope.inherit(() -> {
                SlowStart.Outcome outcome = runAlone(call);
                successes.addAndGet(outcome.successes());
                failure.compareAndSet(null, outcome.failure());
            })));
        }
        List<Throwable> errors = new ArrayList<>();
        running.forEach(call -> await(call, errors));
        if (!errors.isEmpty()) {
            throw new IllegalStateException("A request ended with an error", errors.get(0));
        }
        return new SlowStart.Outcome(successes.get(), failure.get());
    }

    private Future<?> start(Runnable call) {
        FutureTask<?> task = new FutureTask<>(call, null);
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
        return task;
    }

    private static SlowStart.Outcome runAlone(Runnable call) {
        try {
            call.run();
            return new SlowStart.Outcome(1, null);
        } catch (RuntimeException e) {
            return new SlowStart.Outcome(0, e);
        }
    }

    /** Waits even if interrupted: the outcome of requests under way must be known before the next reconciliation. */
    private static void await(Future<?> call, List<Throwable> errors) {
        boolean interrupted = false;
        while (true) {
            try {
                call.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                errors.add(e.getCause());
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
