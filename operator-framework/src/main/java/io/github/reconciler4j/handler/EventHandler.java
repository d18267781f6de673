package io.github.reconciler4j.handler;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Turns an event into the requests it concerns. Called by the thread that delivers the events of one watch, one event
 * after the other, so it must be quick; one that looks at headers only costs no decoding. An update carries the object
 * before and after, so that what pointed elsewhere before can be queued as well.
 *
 * @param <T> the class of the objects
 * @param <R> what a request is
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventHandler<T, R> {

    /** Adds the requests that this event concerns; none is fine. */
    void onEvent(ObjectEvent<? extends T> event, RequestSink<R> sink);
}
