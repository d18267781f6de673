package io.github.reconciler4j.reconcile;

import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Observes the reconciliations of controllers, for tracing or a history. The controller calls it on the thread of the worker,
 * inside of the log context, before it calls the reconciler, and again when it has decided what follows.
 *
 * <p>Implementations are thread-safe and return fast. The controller logs what they throw, at most once a minute, and continues.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * ReconcileObserver observer =
 *         run -> (outcome, error) -> log.accept(run.context().request() + " " + outcome);
 * return ControllerOptions.defaults().withObserver(observer);
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReconcileObserver {

    /** Observes nothing, at no cost. */
    ReconcileObserver NONE = run -> Scope.NONE;

    /**
     * Observe a reconciliation that starts now.
     *
     * @return what is notified of its end, on the same thread
     */
    Scope started(Run run);

    /**
     * Return an observer that notifies the given ones, of ends in reverse order; {@link #NONE} without any. If one throws,
     * the others are notified all the same, and the end of the reconciliation throws the first failure.
     */
    static ReconcileObserver all(List<? extends ReconcileObserver> observers) {
        List<ReconcileObserver> all = List.copyOf(observers);
        if (all.size() < 2) {
            return all.isEmpty() ? NONE : all.get(0);
        }
        return run -> {
            List<Scope> scopes = new ArrayList<>(all.size());
            List<Throwable> failures = new ArrayList<>();
            all.forEach(observer -> attempt(failures, () -> scopes.add(0, observer.started(run))));
            return (outcome, failure) -> {
                scopes.forEach(scope -> attempt(failures, () -> scope.ended(outcome, failure)));
                if (!failures.isEmpty()) {
                    throw new IllegalStateException("An observer failed", failures.get(0));
                }
            };
        };
    }

    private static void attempt(List<Throwable> failures, Runnable notification) {
        try {
            notification.run();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    /**
     * A reconciliation in progress. Immutable and thread-safe.
     *
     * @since 0.1.0
     */
    interface Run {

        /** Return the name of the controller. */
        String controller();

        /** Return the kind of the controller; empty if it is not for one kind. */
        Optional<KindName> kind();

        /** Return the context that the reconciler receives. */
        ReconcileContext context();

        /** Return how long the request was ready in the queue before a worker took it. */
        Duration waited();
    }

    /**
     * Observes the end of one reconciliation.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    interface Scope {

        /** Does nothing. */
        Scope NONE = (outcome, failure) -> {};

        /**
         * Observe the end.
         *
         * @param failure what the reconciler threw, null if it returned
         */
        void ended(Outcome outcome, @Nullable Throwable failure);
    }

    /**
     * The outcome of a reconciliation.
     *
     * @since 0.1.0
     */
    enum Outcome {
        /** It succeeded. */
        SUCCESS,
        /** It asked for a retry with backoff. */
        REQUEUE,
        /** It succeeded and asked to be repeated after a delay. */
        REQUEUE_AFTER,
        /** It failed. */
        ERROR,
        /** It was interrupted because the controller stops. */
        STOPPED;

        /** Return the outcome as metrics show it, for example {@code requeue_after}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
