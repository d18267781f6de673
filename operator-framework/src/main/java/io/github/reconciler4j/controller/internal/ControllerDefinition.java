package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.Texts;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stays the same of a controller from one run to the next.
 *
 * @param name the name
 * @param kind the primary kind; null without one
 * @param reconciler what the workers call
 * @param place puts a request that names no cluster into the one of the controller; only requests of hubs name others
 * @param options the settings
 * @param operatorMetrics receives the metrics of the queue
 * @param metrics the metrics of the controller
 * @param vmFailures the errors of the JVM that reconciliations ended with
 * @param abandonedRuns the reconciliations that outlived a stop
 * @param paused the number of paused objects
 * @param <R> the type of requests
 * @since 0.1.0
 */
public record ControllerDefinition<R>(
        String name,
        @Nullable KindName kind,
        RequestReconciler<R> reconciler,
        UnaryOperator<R> place,
        ControllerOptions options,
        OperatorMetrics operatorMetrics,
        ControllerMetrics metrics,
        VmFailures vmFailures,
        AbandonedRuns abandonedRuns,
        PausedRequests paused) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");

    /**
     * Create a definition with its own metrics.
     *
     * @throws IllegalArgumentException if the name is not valid
     */
    public static <R> ControllerDefinition<R> of(
            String name,
            @Nullable KindName kind,
            RequestReconciler<R> reconciler,
            ControllerOptions options,
            OperatorMetrics metrics) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'name' of a controller must be at most 63 lower-case letters, digits,"
                    + " '-' and '.', and must start and end with a letter or digit, was '" + name + "'");
        }
        String cluster = options.cluster();
        ControllerMetrics its = ControllerMetrics.of(metrics, name, cluster);
        return new ControllerDefinition<>(
                name,
                kind,
                Objects.requireNonNull(reconciler, "'reconciler' must not be null"),
                placeIn(cluster),
                options,
                its.destination(),
                its,
                new VmFailures(options.fatalErrors()),
                new AbandonedRuns(name),
                new PausedRequests());
    }

    /** A controller of the manager's own cluster has nothing to do: a request without a cluster is for this one. */
    @SuppressWarnings("unchecked") // the type of the request stays
    private static <R> UnaryOperator<R> placeIn(String cluster) {
        return cluster.isEmpty()
                ? UnaryOperator.identity()
                : request ->
                        request instanceof Request named && named.cluster().isEmpty() ? (R) named.in(cluster) : request;
    }

    /** Return a request in the cluster of the controller, if it names none. */
    R located(R request) {
        return place.apply(request);
    }

    /** Return a request of any type as namespace and name; one of another type is known by its text. */
    Request nameOf(Object request) {
        return request instanceof Request named ? named : new Request("", Texts.of(request), options.cluster());
    }

    /** Return the name with that of the cluster, if the controller works for another one than that of the manager. */
    public String fullName() {
        return options.cluster().isEmpty() ? name : name + "@" + options.cluster();
    }

    /**
     * The reconciliations of one controller that ignored their interrupt and outlived a stop. As long as one does, a later run
     * does not reconcile its request, so that equal requests are never reconciled at the same time. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class AbandonedRuns {

        private static final Logger LOG = LoggerFactory.getLogger(AbandonedRuns.class);

        private final String controller;
        private final List<Worker<?>> workers = new CopyOnWriteArrayList<>();

        AbandonedRuns(String controller) {
            this.controller = controller;
        }

        /** Add the workers whose threads did not end. */
        void add(List<? extends Worker<?>> alive) {
            for (Worker<?> worker : alive) {
                worker.current()
                        .ifPresent(run -> LOG.error(
                                "The reconciliation of {} {} ignores its interrupt; its thread '{}' is abandoned",
                                controller,
                                run.request(),
                                worker.name()));
            }
            workers.addAll(alive);
        }

        /** Return whether an abandoned reconciliation of an equal request has not returned. */
        boolean holds(Object request) {
            if (workers.isEmpty()) {
                return false;
            }
            workers.removeIf(worker -> !worker.isAlive());
            return workers.stream()
                    .flatMap(worker -> worker.current().stream())
                    .anyMatch(run -> run.item().equals(request));
        }

        /** Return the requests of the reconciliations that have not returned. */
        public List<Request> requests() {
            workers.removeIf(worker -> !worker.isAlive());
            return workers.stream()
                    .flatMap(worker -> worker.current().stream())
                    .map(run -> run.request())
                    .toList();
        }
    }

    /**
     * The requests of one controller whose objects an annotation pauses. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class PausedRequests {

        private volatile Set<?> live = Set.of();

        PausedRequests() {}

        /** Set the live set of these requests. */
        public void are(Set<?> newLive) {
            live = newLive;
        }

        /** Return their number; 0 before {@link #are} was called. */
        public int count() {
            return live.size();
        }

        @SuppressWarnings("unchecked")
        <R> Set<R> all() {
            return (Set<R>) live;
        }

        void forget(Object request) {
            Set<?> known = live;
            if (!known.isEmpty()) {
                known.remove(request);
            }
        }
    }
}
