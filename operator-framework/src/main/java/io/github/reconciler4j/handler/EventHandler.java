package io.github.reconciler4j.handler;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Maps an event to the requests that it concerns. Called on the thread that delivers the events of one watch, one event
 * after the other, so it must be fast; one that looks at headers only never causes a decode. An update has the object
 * before and after it, so that requests for a former reference can be enqueued too. Must be thread-safe, because a change
 * that failed is delivered again on another thread.
 *
 * <p>If a handler throws, the change is kept, coalesced with later changes of the same object, and delivered again until
 * the handler succeeds.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * EventHandler<Secret, Request> later = (event, sink) ->
 *         sink.addAfter(Request.of(event.snapshot().key()), Duration.ofSeconds(30), WorkQueue.LOW_PRIORITY);
 * ControllerBuilder.of(Greeting.class)
 *         .watches(Watch.kind(Secret.class).handler(later))
 *         .reconciler((greeting, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * @param <T> the class of the object
 * @param <R> the type of requests
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventHandler<T, R> {

    /** Add the requests that an event concerns to a sink. */
    void onEvent(ObjectEvent<? extends T> event, RequestSink<R> sink);

    /**
     * Add the requests that have to be reconciled because the API server serves an optional kind now, or no longer.
     * Not called for the state at the start. Must return soon, and reads of the kind return nothing while it is not served.
     * After an exception, which is logged, it is called again, with the state at that time. Does nothing by default.
     *
     * @param served whether the API server serves the kind
     */
    default void onServedChange(boolean served, RequestSink<R> sink) {}
}
