package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the reconciler for one request and does what its outcome asks for. Safe for use by many threads.
 *
 * @param <R> what a request is
 */
final class RequestProcessor<R> {

    /** How long to wait until looking again whether a run that outlived a stop has ended. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Definition<R> definition;
    private final Duration timeout;
    private final WorkQueue<R> queue;
    private final Triggers<R> triggers;
    private final ControllerMetrics metrics;
    private final FailureLog<R> failures;
    private final RunScope scope;

    RequestProcessor(Definition<R> definition, WorkQueue<R> queue, Triggers<R> triggers) {
        this.definition = definition;
        this.timeout = definition.options().reconcileTimeout();
        this.queue = queue;
        this.triggers = triggers;
        this.metrics = definition.metrics();
        this.failures = new FailureLog<>(definition.name());
        this.scope = new RunScope(definition.name(), definition.kind());
    }

    /** The requests whose last run failed. */
    FailureLog<R> failures() {
        return failures;
    }

    /** Runs the reconciler once; the caller gives the request back to the queue. Never throws what user code threw. */
    void process(WorkItem<R> item, Worker<R> worker) {
        R request = item.item();
        if (definition.abandonedRuns().holds(request)) {
            queue.addAfter(request, LOOK_AGAIN, item.priority());
            return;
        }
        RunContext context = contextFor(request);
        scope.open(context);
        try {
            settle(item, context, call(request, context, worker), worker.isStopped());
        } finally {
            scope.close();
        }
    }

    private void settle(WorkItem<R> item, RunContext context, Run run, boolean stopped) {
        metrics.took(run.nanos());
        if (run.timedOut()) {
            metrics.timedOut();
        }
        Throwable failure = run.failure();
        if (failure == null) {
            succeeded(item.item(), item.priority(), run.result());
        } else if (stopped) {
            failures.stopped(context, failure);
        } else {
            failed(item.item(), item.priority(), failure, run.timedOut(), context);
        }
    }

    private RunContext contextFor(R request) {
        Optional<Instant> deadline =
                timeout.isZero() ? Optional.empty() : Optional.of(Instant.now().plus(timeout));
        Request name = RunContext.nameOf(request);
        List<Trigger> why = triggers.take(request);
        return new RunContext(name, RunContext.newId(), queue.retries(request) + 1, why, deadline);
    }

    /**
     * What a run came to.
     *
     * @param result what the reconciler returned, {@link Result#done()} if it failed
     * @param failure what it threw, null if it did not fail
     */
    private record Run(Result result, @Nullable Throwable failure, boolean timedOut, long nanos) {}

    /** Calls user code. Catches everything, since no failure of one request may cost a worker. */
    private Run call(R request, RunContext context, Worker<R> worker) {
        long begun = System.nanoTime();
        Result result = Result.done();
        Throwable failure = null;
        worker.begin(new ActiveRun(context.request(), context.reconcileId(), begun));
        try {
            result = Objects.requireNonNull(
                    definition.reconciler().reconcile(request, context),
                    () -> "The reconciler of controller '" + definition.name()
                            + "' returned null; return Result.done()");
        } catch (Throwable e) {
            failure = e;
        }
        boolean timedOut = worker.end();
        return new Run(result, failure, timedOut, System.nanoTime() - begun);
    }

    private void succeeded(R request, int priority, Result result) {
        int nextPriority = result.priority().orElse(priority);
        switch (result.next()) {
            case DONE -> {
                queue.forget(request);
                metrics.succeeded();
            }
            case AFTER_DELAY -> {
                queue.forget(request);
                queue.addAfter(request, result.delay(), nextPriority);
                metrics.requeuedAfter();
            }
            case WITH_BACKOFF -> {
                queue.addRateLimited(request, nextPriority);
                metrics.requeued();
            }
        }
        failures.succeeded(request);
    }

    /** Queues first and reports afterwards, so that nothing that goes wrong in reporting can lose the request. */
    private void failed(R request, int priority, Throwable failure, boolean timedOut, RunContext context) {
        boolean terminal = Failures.isTerminal(failure);
        if (!terminal) {
            triggers.putBack(request, context.triggers());
            queue.addRateLimited(request, priority, failure);
        }
        metrics.failed(failure, terminal);
        definition.vmFailures().see(failure);
        failures.failed(request, context, failure, timedOut ? timeout : Duration.ZERO);
    }
}
