package io.github.reconciler4j.source;

import java.time.Duration;

/**
 * Something that tells a controller what to work on. A source is a recipe: each {@link #start} makes an independent
 * stream into one target, so a source can serve several controllers, and a controller that stops can start again.
 * Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public interface EventSource<R> {

    /** Names the source in logs, errors and {@link io.github.reconciler4j.reconcile.Trigger triggers}. */
    String name();

    /**
     * Begins to put requests into a target, and returns soon. What needs time belongs to {@link Running#awaitSync}. Must
     * end soon after an interrupt.
     *
     * @throws Exception if the source cannot start; nothing may be left running then
     */
    Running start(RequestTarget<R> target) throws Exception;

    /** A source at work for one target. */
    @FunctionalInterface
    interface Running extends AutoCloseable {

        /**
         * Waits until everything that existed at the start has been told. Returns at once unless the source says
         * otherwise.
         *
         * @throws io.github.reconciler4j.cache.CacheSyncTimeoutException after the timeout; its message says why
         * @throws InterruptedException if the thread is interrupted
         */
        default void awaitSync(Duration timeout) throws InterruptedException {}

        /**
         * What keeps the source from telling what existed at the start, if that does not pass by itself: a missing
         * CustomResourceDefinition, a missing right. {@code ""} if nothing does.
         */
        default String notReadyReason() {
            return "";
        }

        /** Ends it: unsubscribes, stops its threads. Nothing is added after this returns. Further calls do nothing. */
        @Override
        void close();
    }
}
