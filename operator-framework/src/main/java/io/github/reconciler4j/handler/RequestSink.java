package io.github.reconciler4j.handler;

import io.github.reconciler4j.reconcile.Trigger;
import java.time.Duration;

/**
 * Receives requests: the queue of one controller, as its sources and handlers see it. A source receives the sink of the
 * controller, and passes a handler one {@link #with with the priority and trigger of an event}.
 *
 * <p>Adding never blocks and never fails. An equal request that is waiting is coalesced with the new one: the higher
 * priority and the earlier time count. Requests are ignored once the source has been closed. Thread-safe, also after a
 * handler has returned.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * EventHandler<Secret, Request> later = (event, sink) ->
 *         sink.addAfter(Request.of(event.snapshot().key()), Duration.ofSeconds(30), WorkQueue.LOW_PRIORITY);
 * }</pre>
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestSink<R> {

    /**
     * Add a request.
     *
     * @param delay the time until the request is due; zero or less is at once
     * @param priority higher priorities come first; changes have 0, the initial list and resyncs -100
     * @param trigger why the request is enqueued; the reconciler receives it
     */
    void add(R request, Duration delay, int priority, Trigger trigger);

    /** Return the name of the controller, for logs and the names of threads. */
    default String name() {
        return "";
    }

    /** Return the priority of requests that are added without one: that of the event, or 0. */
    default int priority() {
        return 0;
    }

    /** Return the trigger of requests that are added without one: that of the event. */
    default Trigger trigger() {
        return Trigger.external(name());
    }

    /** Return the cluster that the event comes from, {@code ""} for the cluster of the manager. */
    default String cluster() {
        return "";
    }

    /** Add a request that is due after a delay. */
    default void addAfter(R request, Duration delay, int priority) {
        add(request, delay, priority, trigger());
    }

    /** Add a request that is due after a delay, with the priority of the event. */
    default void addAfter(R request, Duration delay) {
        add(request, delay, priority(), trigger());
    }

    /** Add a request with a priority. */
    default void add(R request, int priority) {
        add(request, Duration.ZERO, priority, trigger());
    }

    /** Add a request with the priority of the event. */
    default void add(R request) {
        add(request, Duration.ZERO, priority(), trigger());
    }

    /** Return this sink with a default priority and trigger, for the handler of one event. */
    default RequestSink<R> with(int eventPriority, Trigger eventTrigger) {
        return with(eventPriority, eventTrigger, cluster());
    }

    /** Return this sink with a default priority and trigger, for the handler of one event of a cluster. */
    default RequestSink<R> with(int eventPriority, Trigger eventTrigger, String eventCluster) {
        record EventSink<R>(RequestSink<R> controller, int priority, Trigger trigger, String cluster)
                implements RequestSink<R> {
            @Override
            public void add(R request, Duration delay, int requestPriority, Trigger requestTrigger) {
                controller.add(request, delay, requestPriority, requestTrigger);
            }

            @Override
            public String name() {
                return controller.name();
            }
        }
        return new EventSink<>(this, eventPriority, eventTrigger, eventCluster);
    }
}
