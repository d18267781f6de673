package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Calls the reconciler for one request and does what its outcome demands. Thread-safe.
 *
 * @param <R> the type of requests
 */
final class RequestProcessor<R> {

    /** The time until the next look whether an abandoned reconciliation has returned. */
    private static final Duration ABANDONED_CHECK = Duration.ofSeconds(1);

    private final Definition<R> definition;
    private final Duration timeout;
    private final WorkQueue<R> queue;
    private final Triggers<R> triggers;
    private final ControllerMetrics metrics;
    private final FailureLog<R> failures;

    RequestProcessor(Definition<R> definition, WorkQueue<R> queue, Triggers<R> triggers) {
        this.definition = definition;
        this.timeout = definition.options().reconcileTimeout();
        this.queue = queue;
        this.triggers = triggers;
        this.metrics = definition.metrics();
        this.failures = new FailureLog<>(definition.name());
    }

    /** The context of one call. */
    private record CallContext(
            Request request, String reconcileId, int attempt, List<Trigger> triggers, Optional<Instant> deadline)
            implements ReconcileContext {}

    /**
     * The outcome of one call.
     *
     * @param result what the reconciler returned, {@link Result#done()} if it failed
     * @param failure what it threw, null if it did not fail
     */
    private record Outcome(Result result, @Nullable Throwable failure, boolean timedOut, long nanos) {}

    /** Return a request of any type as namespace and name; one of another type is known by its text. */
    static Request nameOf(Object request) {
        return request instanceof Request named ? named : new Request("", request.toString());
    }

    FailureLog<R> failures() {
        return failures;
    }

    /** Record an error of the JVM outside of a reconciliation. */
    void recordFailure(Throwable failure) {
        definition.vmFailures().record(failure);
    }

    /** Call the reconciler once; the caller returns the request to the queue. Never throws what user code threw. */
    void process(WorkItem<R> item, Worker<R> worker) {
        R request = item.item();
        if (definition.abandonedRuns().holds(request)) {
            queue.addAfter(request, ABANDONED_CHECK, item.priority());
            return;
        }
        CallContext context = contextFor(request);
        openLogContext(context);
        try {
            settle(item, context, call(request, context, worker), worker.isStopped());
        } finally {
            MDC.clear(); // everything, because entries of user code must not appear in another reconciliation
        }
    }

    private CallContext contextFor(R request) {
        Optional<Instant> deadline =
                timeout.isZero() ? Optional.empty() : Optional.of(Instant.now().plus(timeout));
        return new CallContext(nameOf(request), newId(), queue.retries(request) + 1, triggers.take(request), deadline);
    }

    /** Return a random id. It only has to differ from others in the log, so it need not be hard to guess. */
    private static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = random.nextLong() & ~0xF000L | 0x4000L;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    private void openLogContext(CallContext context) {
        MDC.put("controller", definition.name());
        GroupVersionKind kind = definition.kind();
        if (kind != null) {
            MDC.put("controllerGroup", kind.group());
            MDC.put("controllerKind", kind.kind());
        }
        MDC.put("namespace", context.request().namespace());
        MDC.put("name", context.request().name());
        MDC.put("reconcileId", context.reconcileId());
    }

    /** Call user code. Catches everything, because no failure of one request may cost a worker. */
    private Outcome call(R request, CallContext context, Worker<R> worker) {
        long start = System.nanoTime();
        Result result = Result.done();
        Throwable failure = null;
        worker.start(new ActiveRun(context.request(), context.reconcileId(), start));
        try {
            result = Objects.requireNonNull(
                    definition.reconciler().reconcile(request, context),
                    () -> "The reconciler of controller '" + definition.name()
                            + "' returned null; return Result.done()");
        } catch (Throwable e) {
            failure = e;
        }
        boolean timedOut = worker.end();
        return new Outcome(result, failure, timedOut, System.nanoTime() - start);
    }

    private void settle(WorkItem<R> item, CallContext context, Outcome outcome, boolean stopped) {
        Throwable failure = outcome.failure();
        if (failure == null) {
            succeeded(item.item(), item.priority(), outcome.result());
        } else if (stopped) {
            failures.stopped(context, failure);
        } else {
            failed(item.item(), item.priority(), failure, outcome.timedOut(), context);
        }
        metrics.took(outcome.nanos());
        if (outcome.timedOut()) {
            metrics.timedOut();
        }
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

    /** Enqueues first and reports afterwards, so that no failure of the reporting can lose the request. */
    private void failed(R request, int priority, Throwable failure, boolean timedOut, CallContext context) {
        boolean terminal = Failures.isTerminal(failure);
        if (!terminal) {
            triggers.putBack(request, context.triggers());
            queue.addRateLimited(request, priority, failure);
        }
        definition.vmFailures().record(failure);
        metrics.failed(failure, terminal);
        failures.failed(request, context, failure, timedOut ? timeout : Duration.ZERO);
    }
}
