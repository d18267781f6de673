package io.github.reconciler4j.source;

import io.github.reconciler4j.handler.RequestSink;
import java.time.Duration;

/**
 * A source of requests for controllers. Each {@link #start} creates an independent stream into one sink, so a source can
 * serve several controllers, and a controller that was stopped can start again. Thread-safe.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * public Running start(RequestSink<Request> sink) {
 *     AutoCloseable listener = inbox.listen(name -> sink.add(new Request("guests", name)));
 *     return () -> close(listener);
 * }
 * }</pre>
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public interface RequestSource<R> {

    /** Return the name of the source in logs, errors and {@link io.github.reconciler4j.reconcile.Trigger triggers}. */
    String name();

    /**
     * Return the name of the cluster that the events come from; the default, {@code ""}, is the cluster of the manager. A
     * controller does not wait for a source of another cluster when it starts, and removes it when that cluster leaves.
     */
    default String cluster() {
        return "";
    }

    /**
     * Prepare for a controller that has added this source and will start it, at once or later. The default does nothing.
     *
     * @param controller the name of the controller
     */
    default void attach(String controller) {}

    /**
     * Forget a controller that has removed this source. The default does nothing.
     *
     * @param controller the name of the controller
     */
    default void detach(String controller) {}

    /**
     * Start to add requests to a sink, and return soon; {@link Running#awaitSync} is for what takes time. Must return soon
     * after an interrupt.
     *
     * @throws Exception if the source cannot start; nothing must be running then
     */
    Running start(RequestSink<R> sink) throws Exception;

    /**
     * A source that has started for one sink. Thread-safe.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    interface Running extends AutoCloseable {

        /**
         * Wait until requests for everything that existed at the start have been added. The default returns at once.
         *
         * @throws io.github.reconciler4j.cache.CacheSyncTimeoutException after the timeout; its message has the reason
         * @throws InterruptedException if the thread is interrupted
         */
        default void awaitSync(Duration timeout) throws InterruptedException {}

        /**
         * Return what prevents the sync and requires action, such as a missing CustomResourceDefinition or permission;
         * {@code ""} if nothing does.
         */
        default String notReadyReason() {
            return "";
        }

        /** Return the number of objects with changes that a predicate or handler has failed to process so far. */
        default int undelivered() {
            return 0;
        }

        /**
         * Return whether the source can still enqueue requests: false if a thread of it has died. The controller is not alive
         * then. True by default.
         */
        default boolean isAlive() {
            return true;
        }

        /** Stop: unsubscribe and end all threads. Nothing is added after this returns. Further calls do nothing. */
        @Override
        void close();
    }
}
