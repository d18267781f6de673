package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.internal.SourceSink.Triggers;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;

/** Sinks of sources without a run. */
final class TestSinks {

    private TestSinks() {}

    /** Create a sink whose requests are not read. */
    static <R> SourceSink<R> create() {
        return create(WorkQueue.create(WorkQueueOptions.defaults("test")), new Triggers<>());
    }

    /** Create a sink of a controller named {@code controller}, which is not divided. */
    static <R> SourceSink<R> create(WorkQueue<R> queue, Triggers<R> triggers) {
        ControllerDefinition<R> definition = ControllerDefinition.of(
                "controller",
                null,
                (request, context) -> Result.done(),
                ControllerOptions.defaults(),
                OperatorMetrics.NONE);
        return new SourceSink<>(new SourceSink.Target<>(definition, queue, triggers, null));
    }
}
