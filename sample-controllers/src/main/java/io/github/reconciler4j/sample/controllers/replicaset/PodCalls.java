package io.github.reconciler4j.sample.controllers.replicaset;

import io.github.reconciler4j.leaderelection.WriteScope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.stereotype.Component;

/**
 * Sends several requests at the same time, on behalf of the reconciler that asks for them.
 *
 * <p>Safe for use by many threads.
 */
@Component
final class PodCalls implements AutoCloseable {

    private static final int THREADS = 16;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "pod-calls");
        thread.setDaemon(true);
        return thread;
    });

    /** Run all calls; return how many succeeded, and the first failure. */
    SlowStart.Outcome runAll(List<? extends Runnable> calls) {
        if (calls.size() == 1) {
            return runAlone(calls.get(0));
        }
        AtomicInteger successes = new AtomicInteger();
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        List<Future<?>> running = new ArrayList<>();
        for (Runnable call : calls) {
            running.add(threads.submit(WriteScope.inherit(() -> {
                SlowStart.Outcome outcome = runAlone(call);
                successes.addAndGet(outcome.successes());
                failure.compareAndSet(null, outcome.failure());
            })));
        }
        running.forEach(PodCalls::await);
        return new SlowStart.Outcome(successes.get(), failure.get());
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
    private static void await(Future<?> call) {
        boolean interrupted = false;
        while (true) {
            try {
                call.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (java.util.concurrent.ExecutionException e) {
                throw new IllegalStateException("A request ended with an error", e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
