package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a run, as one of its sources sees it: takes requests until the source is closed. A handler receives a copy with the
 * priority, the trigger and the cluster of its event, so that nothing is between a source and the queue but this. Thread-safe.
 *
 * @param <R> the type of requests
 */
final class SourceSink<R> implements RequestSink<R> {

    private final Target<R> target;
    private final AtomicBoolean open;
    private final int priority;
    private final Trigger trigger;
    private final String cluster;

    /**
     * What the sinks of a run share.
     *
     * @param gate admits the requests that are reconciled here; null if the controller is not divided
     */
    record Target<R>(
            ControllerDefinition<R> definition,
            WorkQueue<R> queue,
            Triggers<R> triggers,
            @Nullable RequestGate<R> gate) {}

    /** Create the sink of a source that starts. */
    SourceSink(Target<R> target) {
        this(target, new AtomicBoolean(true), 0, Trigger.external(target.definition.name()), "");
    }

    private SourceSink(Target<R> target, AtomicBoolean open, int priority, Trigger trigger, String cluster) {
        this.target = target;
        this.open = open;
        this.priority = priority;
        this.trigger = trigger;
        this.cluster = cluster;
    }

    /** Ignore all further requests, those of copies included. */
    void close() {
        open.set(false);
    }

    boolean isOpen() {
        return open.get();
    }

    @Override
    public void add(R request, Duration delay, int requestPriority, Trigger requestTrigger) {
        if (!open.get()) {
            return;
        }
        R located = target.definition.located(request);
        RequestGate<R> gate = target.gate;
        if (gate == null || gate.admits(located)) {
            target.triggers.record(located, requestTrigger);
            target.queue.addAfter(located, delay, requestPriority);
        }
    }

    @Override
    public String name() {
        return target.definition.name();
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public Trigger trigger() {
        return trigger;
    }

    @Override
    public String cluster() {
        return cluster;
    }

    @Override
    public RequestSink<R> with(int eventPriority, Trigger eventTrigger, String eventCluster) {
        return new SourceSink<>(target, open, eventPriority, eventTrigger, eventCluster);
    }
}
