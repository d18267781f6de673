package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.internal.SourceSink.Triggers;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.reconcile.ReconcileObserver.Run;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A processor that the test calls, on its own thread and with a time that stands still. */
abstract class RequestProcessorFixture {

    static final Request A = new Request("ns", "a");
    static final String LOGGER = "io.github.reconciler4j.controller.Controller";
    static final String TIME = "controller_runtime_reconcile_time_seconds{controller=test}";

    final ManualTimeSource time = new ManualTimeSource();
    final RecordingMetrics metrics = new RecordingMetrics();
    final Triggers<Request> triggers = new Triggers<>();
    final List<ReconcileContext> contexts = new ArrayList<>();
    final List<Run> started = new ArrayList<>();
    final List<Outcome> ended = new ArrayList<>();

    final WorkQueue<Request> queue = WorkQueue.create(WorkQueueOptions.<Request>defaults("test")
            .withTimeSource(time)
            .withRateLimiter(RateLimiters.exponential(Duration.ofMinutes(1), Duration.ofMinutes(1), 0)));

    final ControllerOptions options = ControllerOptions.defaults()
            .withTimeSource(time)
            .withObserver(run -> {
                started.add(run);
                return (outcome, failure) -> ended.add(outcome);
            });

    RequestReconciler<Request> reconciler = (request, context) -> Result.done();
    ControllerDefinition<Request> definition;
    RequestProcessor<Request> processor;
    Worker<Request> worker;

    RequestProcessorFixture() {
        create(options, null);
    }

    final void create(ControllerOptions with, @Nullable KindName kind) {
        definition = ControllerDefinition.of(
                "test",
                kind,
                (request, context) -> {
                    contexts.add(context);
                    return reconciler.reconcile(request, context);
                },
                with,
                metrics);
        processor = new RequestProcessor<>(definition, queue, triggers);
        worker = new Worker<>(queue, processor, null);
    }

    static RequestReconciler<Request> failing() {
        return (request, context) -> {
            throw new IllegalStateException("no luck");
        };
    }

    /** Adds a request, takes it from the queue and processes it as a worker does. */
    void process(Request request, int priority) {
        queue.add(request, priority);
        WorkItem<Request> item = Objects.requireNonNull(queue.poll());
        try {
            processor.process(item, worker);
        } finally {
            queue.done(request);
        }
    }

    double results(String result) {
        return metrics.count("controller_runtime_reconcile_total{controller=test,result=" + result + "}");
    }

    double counter(String name) {
        return metrics.count("controller_runtime_" + name + "{controller=test}");
    }
}
