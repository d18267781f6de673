package io.github.reconciler4j.source;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;

/** Passes what a handler makes of one event on to a target, with the event's priority and trigger. */
record EventSink<R>(RequestTarget<R> target, int priority, Trigger trigger) implements RequestSink<R> {

    /** The sink for one event of a source. */
    static <R> EventSink<R> of(RequestTarget<R> target, String source, ObjectEvent<?> event) {
        Trigger trigger = trigger(source, event);
        boolean low = trigger.change() == Change.INITIAL || isRepetition(event);
        return new EventSink<>(target, low ? WorkQueue.LOW_PRIORITY : WorkQueue.DEFAULT_PRIORITY, trigger);
    }

    /** What an event is as a trigger to run. */
    static Trigger trigger(String source, ObjectEvent<?> event) {
        return Trigger.of(source, event.snapshot().key(), changeOf(event));
    }

    private static Change changeOf(ObjectEvent<?> event) {
        if (event instanceof Created<?> created) {
            return created.initial() ? Change.INITIAL : Change.CREATED;
        }
        if (event instanceof Updated<?> updated) {
            return updated.resync() ? Change.RESYNC : Change.UPDATED;
        }
        return event instanceof Deleted<?> ? Change.DELETED : Change.EXTERNAL;
    }

    /** Whether nothing changed; also told by equal versions, as after a new list. */
    private static boolean isRepetition(ObjectEvent<?> event) {
        if (!(event instanceof Updated<?> update)) {
            return false;
        }
        String before = update.previous().header().resourceVersion();
        return update.resync()
                || (!before.isEmpty()
                        && before.equals(update.snapshot().header().resourceVersion()));
    }

    @Override
    public void addAfter(R request, Duration delay, int requestPriority) {
        target.add(request, delay, requestPriority, trigger);
    }
}
