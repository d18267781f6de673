package io.github.reconciler4j.controller;

import io.github.reconciler4j.source.EventSource;

/**
 * A source's place at a controller. Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public interface Watch<R> extends AutoCloseable {

    /** The source. */
    EventSource<R> source();

    /**
     * Removes the source: unsubscribes it at once and leaves it out at the next start. Requests it has queued stay
     * queued. Further calls do nothing.
     */
    @Override
    void close();
}
