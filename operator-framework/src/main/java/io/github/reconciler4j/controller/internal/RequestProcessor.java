package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.controller.internal.SourceSink.Triggers;
import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.FlightEvents;
import io.github.reconciler4j.support.internal.UserCall;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Calls the reconciler for one request and does what its outcome demands. Thread-safe.
 *
 * @param <R> the type of requests
 */
final class RequestProcessor<R> {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.reconciler4j.controller.Controller");
    private static final String WITHOUT_RESULT = "The reconciler returned null; return Result.done()";

    /** The time until the next look whether an abandoned reconciliation has returned. */
    private static final Duration ABANDONED_CHECK = Duration.ofSeconds(1);

    private final ControllerDefinition<R> definition;
    private final Duration timeout;
    private final WorkQueue<R> queue;
    private final Triggers<R> triggers;
    private final FailureLog<R> failures;
    private final ReconcileObserver observer;
    private final LogLimiter warnings;
    private final BusyKeys<R> busy;
    /** Null if requests may start at any time. */
    private final @Nullable RequestIntervals<R> intervals;

    private final int maxAttempts;

    RequestProcessor(ControllerDefinition<R> definition, WorkQueue<R> queue, Triggers<R> triggers) {
        this.definition = definition;
        this.timeout = definition.options().reconcileTimeout();
        this.queue = queue;
        this.triggers = triggers;
        this.observer = definition.options().observer();
        TimeSource time = definition.options().timeSource();
        this.failures = new FailureLog<>(definition.name(), definition::nameOf, time);
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.busy = new BusyKeys<>(time);
        Duration interval = definition.options().minInterval();
        this.intervals = Nanos.of(interval) == 0 ? null : new RequestIntervals<>(interval, time);
        this.maxAttempts = definition.options().maxAttempts();
    }

    /**
     * The context of one call.
     *
     * @param its the client of the cluster of the request; null if none is set
     */
    private record CallContext(
            Request request,
            String reconcileId,
            int attempt,
            boolean isLastAttempt,
            List<Trigger> triggers,
            Optional<Instant> deadline,
            @Nullable Client its)
            implements ReconcileContext {

        @Override
        public String cluster() {
            return request.cluster();
        }

        @Override
        public Client client() {
            return its == null ? ReconcileContext.super.client() : its;
        }

        @Override
        public ReconcileContext withClient(Client client) {
            return new CallContext(request, reconcileId, attempt, isLastAttempt, triggers, deadline, client);
        }
    }

    /**
     * The outcome of one call.
     *
     * @param result what the reconciler returned, {@link Result#done()} if it failed
     * @param failure what it threw, null if it did not fail
     */
    private record Outcome(Result result, @Nullable Throwable failure, boolean timedOut, long nanos) {}

    FailureLog<R> failures() {
        return failures;
    }

    List<BusyKeys.Rate<R>> busy() {
        return busy.now();
    }

    private void report(List<BusyKeys.Rate<R>> found) {
        if (found.isEmpty()) {
            return;
        }
        warnings.log(
                "busy",
                occurrence -> LOG.warn(
                        "Controller {} reconciles {} {} times per second. If its reconciler does not ask for that, something that"
                                + " it watches changes all the time, perhaps by its own writes: see the triggers of the request,"
                                + " and use ReconcileOn.GENERATION or an EventPredicate (R4J-101){}",
                        definition.fullName(),
                        Texts.of(found.get(0).key()),
                        found.get(0).perSecond(),
                        occurrence.suffix()));
    }

    void recordFailure(Throwable failure) {
        definition.vmFailures().record(failure);
    }

    /** Return the requests whose last reconciliation failed, a copy. */
    Set<R> failing() {
        return failures.requests();
    }

    void forgetFailures(R request) {
        failures.forget(request);
        if (intervals != null) {
            intervals.forget(request);
        }
    }

    /** Report that user code or a library has left the interrupt flag of a worker set. */
    void reportInterrupt(String worker) {
        warnings.log(
                "interrupt",
                occurrence -> LOG.warn(
                        "{} found its interrupt flag set after a reconciliation; user code or a library left it{}",
                        worker,
                        occurrence.suffix()));
    }

    /** Call the reconciler once; the caller returns the request to the queue. Never throws what user code threw. */
    void process(WorkItem<R> item, Worker<R> worker) {
        R request = item.item();
        if (definition.abandonedRuns().holds(request)) {
            queue.addAfter(request, ABANDONED_CHECK, item.priority());
            return;
        }
        Duration early = intervals == null ? Duration.ZERO : intervals.start(request);
        if (!early.isZero()) {
            queue.addAfter(request, early, item.priority());
            return;
        }
        report(busy.record(request));
        CallContext context = contextFor(request);
        if (context.cluster().equals(definition.options().cluster())) {
            process(item, context, worker);
            return;
        }
        Runnable there = () -> process(item, context, worker);
        WorkScope.inCluster(context.cluster(), there).run();
    }

    private void process(WorkItem<R> item, CallContext context, Worker<R> worker) {
        openLogContext(context);
        Observation observation = new Observation(context, item.waited());
        try {
            Outcome outcome = call(item.item(), context, worker);
            observation.outcome = label(outcome, worker.isStopped());
            observation.failure = outcome.failure();
            settle(item, context, outcome, worker.isStopped());
        } finally {
            observation.end();
            MDC.clear(); // everything, because entries of user code must not appear in another reconciliation
        }
    }

    private static ReconcileObserver.Outcome label(Outcome outcome, boolean stopped) {
        if (outcome.failure() != null) {
            return stopped ? ReconcileObserver.Outcome.STOPPED : ReconcileObserver.Outcome.ERROR;
        }
        return switch (outcome.result().next()) {
            case DONE -> ReconcileObserver.Outcome.SUCCESS;
            case AFTER_DELAY -> ReconcileObserver.Outcome.REQUEUE_AFTER;
            case WITH_BACKOFF -> ReconcileObserver.Outcome.REQUEUE;
        };
    }

    private CallContext contextFor(R request) {
        Optional<Instant> deadline = timeout.isZero()
                ? Optional.empty()
                : Optional.of(TimeSource.system().instant().plus(Nanos.bounded(timeout)));
        return new CallContext(
                definition.nameOf(request),
                newId(),
                queue.retries(request) + 1,
                maxAttempts > 0 && failures.counted(request) >= maxAttempts - 1,
                triggers.take(request),
                deadline,
                null);
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
        if (!context.cluster().isEmpty()) {
            MDC.put("cluster", context.cluster());
        }
        KindName kind = definition.kind();
        if (kind != null) {
            MDC.put("controllerGroup", kind.group());
            MDC.put("controllerKind", kind.kind());
        }
        MDC.put("namespace", context.request().namespace());
        MDC.put("name", context.request().name());
        MDC.put("reconcileID", context.reconcileId());
    }

    /** Call user code. Catches everything, because no failure of one request may cost a worker. */
    private Outcome call(R request, CallContext context, Worker<R> worker) {
        long start = TimeSource.system().nanoTime();
        Result result = Result.done();
        Throwable failure = null;
        worker.start(new ActiveRun(request, context.request(), context.reconcileId(), start));
        UserCall reconciliation = UserCall.enter(UserCall.Kind.RECONCILER, definition.name(), context.request());
        try {
            result = Objects.requireNonNull(definition.reconciler().reconcile(request, context), WITHOUT_RESULT);
        } catch (Throwable e) {
            RequeueException requeue = Causes.find(e, RequeueException.class);
            failure = requeue == null ? e : null;
            result = requeue == null ? result : requeue.result();
        } finally {
            reconciliation.exit();
        }
        boolean timedOut = worker.end();
        return new Outcome(result, failure, timedOut, TimeSource.system().nanoTime() - start);
    }

    private void settle(WorkItem<R> item, CallContext context, Outcome outcome, boolean stopped) {
        Throwable failure = outcome.failure();
        ControllerMetrics metrics = definition.metrics().of(context.cluster());
        if (failure == null) {
            succeeded(item.item(), item.priority(), outcome.result(), metrics);
        } else if (stopped) {
            failures.stopped(context, failure);
        } else {
            failed(item.item(), item.priority(), failure, outcome.timedOut(), context);
            metrics.failed(failure, Failures.isTerminal(failure));
        }
        metrics.took(outcome.nanos());
        if (outcome.timedOut()) {
            metrics.timedOut();
        }
    }

    private void succeeded(R request, int priority, Result result, ControllerMetrics metrics) {
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
        boolean retried = !Failures.isTerminal(failure) && !Failures.isExhausted(failure, context);
        if (retried) {
            triggers.putBack(request, context.triggers());
            queue.addRateLimited(request, priority, failure);
        } else {
            queue.forget(request);
        }
        definition.vmFailures().record(failure);
        failures.failed(request, context, failure, timedOut ? timeout : Duration.ZERO);
    }

    /** What is reported of one call to the observer and to the flight recorder; for the thread of the worker. */
    private final class Observation implements ReconcileObserver.Run {

        private final CallContext context;
        private final Duration waited;
        private final FlightEvents.@Nullable Reconcile event = FlightEvents.reconcile();
        private ReconcileObserver.Scope scope = ReconcileObserver.Scope.NONE;

        /** Stays if the processor itself fails. */
        private ReconcileObserver.Outcome outcome = ReconcileObserver.Outcome.ERROR;

        private @Nullable Throwable failure;

        Observation(CallContext context, Duration waited) {
            this.context = context;
            this.waited = waited;
            UserCall call = UserCall.enter(UserCall.Kind.OBSERVER, controller(), context.request());
            try { // neither here nor at the end with a lambda, which would cost more than the rest of both
                scope = observer.started(this);
            } catch (Throwable e) {
                report(e);
            } finally {
                call.exit();
            }
        }

        void end() {
            UserCall call = UserCall.enter(UserCall.Kind.OBSERVER, controller(), context.request());
            try {
                scope.ended(outcome, failure);
            } catch (Throwable e) {
                report(e);
            } finally {
                call.exit();
            }
            if (event != null) {
                event.controller = controller();
                event.namespace = context.request().namespace();
                event.name = context.request().name();
                event.reconcileId = context.reconcileId();
                event.attempt = context.attempt();
                event.queueWait = waited.toNanos();
                event.outcome = outcome.label();
                event.commit();
            }
        }

        private void report(Throwable e) {
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "The observer of controller {} failed{}",
                            controller(),
                            occurrence.suffix(e),
                            occurrence.trace(e)));
        }

        @Override
        public String controller() {
            return definition.name();
        }

        @Override
        public Optional<KindName> kind() {
            return Optional.ofNullable(definition.kind());
        }

        @Override
        public ReconcileContext context() {
            return context;
        }

        @Override
        public Duration waited() {
            return waited;
        }
    }
}
