package io.github.reconciler4j.workqueue;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests of a controller this process reconciles, if several processes divide its work. A controller without a gate reconciles all. Thread-safe.
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public interface RequestGate<R> {

    /** Use the queue of a run of the controller, which starts. Called before all other methods. */
    void attach(Backlog<R> queue);

    /** Return whether a request may be enqueued. One that does not belong here can be dropped later, by {@link #enter}. */
    boolean admits(R request);

    /**
     * Return the permission to reconcile a request that a worker has dequeued. Null if the request is not to be reconciled now: the
     * gate keeps it or drops it.
     *
     * @param priority the priority of the request in the queue
     * @param interrupt interrupts the worker if it reconciles with a permission that is revoked; does nothing otherwise
     */
    @Nullable
    Pass enter(R request, int priority, Runnable interrupt);

    /**
     * The permission for one reconciliation. Thread-safe.
     *
     * @since 0.1.0
     */
    interface Pass {

        /** Return whether the reconciliation may start now; otherwise, its request is enqueued again. */
        boolean mayStart();

        /** Run the reconciliation. What it writes is refused once this process must not work on the request any more. */
        void run(Runnable reconciliation);

        /** Return whether the reconciliation was to be interrupted, because this process must not work on the request any more. */
        boolean isRevoked();

        /** End the reconciliation, after its request was returned to the queue. Called once for each pass. */
        void exit();
    }

    /**
     * The queue of a controller, as its gate uses it. Thread-safe.
     *
     * @param <R> the type of requests
     * @since 0.1.0
     */
    interface Backlog<R> {

        /** Enqueue a request. */
        void add(R request, int priority);

        /** Remove a request, and forget its failures and triggers. */
        void remove(R request);

        /** Forget the failures and triggers of a request, without removing it. */
        void forget(R request);

        /** Return the requests that wait: in the queue, after a failure for a change, or for the end of a pause. */
        Collection<R> waiting();
    }
}
