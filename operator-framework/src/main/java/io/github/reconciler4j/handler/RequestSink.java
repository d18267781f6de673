package io.github.reconciler4j.handler;

import java.time.Duration;

/**
 * Takes the requests that one event leads to. Adding never blocks and never fails; a request that is waiting already is
 * not added twice but keeps the higher priority and the earlier time. Safe for use by many threads, also after the
 * handler has returned.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public interface RequestSink<R> {

    /** The priority of requests that are added without one: 0, or -100 for the initial list and resyncs. */
    int priority();

    /**
     * Adds a request that becomes due after a time.
     *
     * @param delay the time to wait; zero or less is at once
     * @param priority higher runs first
     */
    void addAfter(R request, Duration delay, int priority);

    /** Adds a request that becomes due after a time, with the event's priority. */
    default void addAfter(R request, Duration delay) {
        addAfter(request, delay, priority());
    }

    /** Adds a request with a priority of its own. */
    default void add(R request, int priority) {
        addAfter(request, Duration.ZERO, priority);
    }

    /** Adds a request with the event's priority. */
    default void add(R request) {
        addAfter(request, Duration.ZERO, priority());
    }
}
