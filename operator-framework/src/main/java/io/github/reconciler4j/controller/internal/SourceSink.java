package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    public void add(R request) {
        add(request, Duration.ZERO, priority, trigger);
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

    /**
     * The triggers of each waiting request, until a reconciliation takes them. Kept beside the queue, which coalesces equal
     * requests and knows no triggers. A trigger is recorded before its request is enqueued, so either the reconciliation that
     * the request leads to takes it, or an earlier one has. Thread-safe.
     *
     * @param <R> the type of requests
     */
    static final class Triggers<R> {

        /** The number of objects that are listed for one reconciliation. */
        static final int MAX_ORIGINS = 16;

        /** Most requests have one trigger, which is kept without a list. */
        private final Map<R, Object> waiting = new ConcurrentHashMap<>();

        /** Add a trigger for the next reconciliation of a request. */
        public void record(R request, Trigger trigger) {
            if (waiting.putIfAbsent(request, trigger) != null) {
                waiting.merge(request, trigger, (before, added) -> coalesced(list(before), (Trigger) added));
            }
        }

        /** Take the triggers for a reconciliation that starts now, oldest first. */
        public List<Trigger> take(R request) {
            Object taken = waiting.remove(request);
            return taken == null ? List.of() : List.copyOf(list(taken));
        }

        /** Put back the triggers of a reconciliation that failed, before those that were added meanwhile. */
        public void putBack(R request, List<Trigger> triggers) {
            if (triggers.isEmpty()) {
                return;
            }
            waiting.merge(request, triggers, (meanwhile, earlier) -> {
                List<Trigger> all = list(earlier);
                for (Trigger later : list(meanwhile)) {
                    all = coalesced(all, later);
                }
                return all;
            });
        }

        @SuppressWarnings("unchecked")
        private static List<Trigger> list(Object triggers) {
            return triggers instanceof Trigger single ? List.of(single) : (List<Trigger>) triggers;
        }

        private static List<Trigger> coalesced(List<Trigger> triggers, Trigger added) {
            List<Trigger> result = new ArrayList<>(triggers);
            for (int i = 0; i < result.size(); i++) {
                if (result.get(i).sameOrigin(added)) {
                    result.set(i, result.get(i).coalescedWith(added));
                    return result;
                }
            }
            if (result.size() < MAX_ORIGINS) {
                result.add(added);
                return result;
            }
            Trigger last = result.get(MAX_ORIGINS - 1);
            result.set(MAX_ORIGINS - 1, Trigger.others(added.source(), last.times() + added.times()));
            return result;
        }
    }
}
