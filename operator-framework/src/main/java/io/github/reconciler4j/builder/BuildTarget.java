package io.github.reconciler4j.builder;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a controller works.
 *
 * @param cluster the cluster
 * @param siblings the controllers of the same builder by the names of their clusters; null if there is one for all clusters
 */
record BuildTarget(
        Manager manager, Cluster cluster, @Nullable Map<String, ? extends Controller<?>> siblings) {

    static BuildTarget home(Manager manager) {
        return new BuildTarget(manager, manager.home(), null);
    }

    /** Returns the name of the cluster, {@code ""} for that of the manager. */
    String name() {
        return cluster.name();
    }

    /** Returns whether the replicas share the work in the cluster. */
    boolean isDivided() {
        return manager.options().division().isPresent() && !cache().partition().isUndivided();
    }

    Cache cache() {
        return cluster.cache();
    }

    Client client() {
        return cluster.client();
    }

    Scheme scheme() {
        return manager.options().scheme();
    }

    /** Returns the same controller for a request of another cluster, empty if that has left. */
    Optional<BuildTarget> in(String otherCluster) {
        return cluster.sibling(otherCluster).map(other -> new BuildTarget(manager, other, siblings));
    }

    /**
     * Gives each call the client of the cluster of its request. A request of another cluster goes to the controller that the
     * builder has there, so that no object has two; without one for each cluster, it is reconciled here.
     *
     * @param abroad returns what reconciles requests of another cluster
     */
    <R> RequestReconciler<R> located(
            String controller, RequestReconciler<R> reconciler, Function<BuildTarget, RequestReconciler<R>> abroad) {
        return new BoundReconciler<>(this, name(), client(), controller, reconciler, abroad, new LogLimiter());
    }

    private record BoundReconciler<R>(
            BuildTarget site,
            String own,
            Client client,
            String controller,
            RequestReconciler<R> reconciler,
            Function<BuildTarget, RequestReconciler<R>> abroad,
            LogLimiter dropped)
            implements RequestReconciler<R> {

        private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

        @Override
        public Result reconcile(R request, ReconcileContext context) throws Exception {
            return context.cluster().equals(own)
                    ? reconciler.reconcile(request, context.withClient(client))
                    : reconcileAbroad(request, context);
        }

        private Result reconcileAbroad(R request, ReconcileContext context) throws Exception {
            if (site.siblings() != null) {
                Controller<?> sibling = site.siblings().get(context.cluster());
                if (sibling == null) {
                    drop(context, "it has no controller there");
                } else {
                    pass(sibling, request);
                }
                return Result.done();
            }
            Optional<BuildTarget> there = site.in(context.cluster());
            if (there.isEmpty()) {
                drop(context, "the manager has no such cluster");
                return Result.done();
            }
            ReconcileContext local = context.withClient(there.get().client());
            return abroad.apply(there.get()).reconcile(request, local);
        }

        /** A sibling that does not run now enqueues everything when it starts. */
        @SuppressWarnings("unchecked") // siblings have the same type of request
        private void pass(Controller<?> sibling, R request) {
            ((Controller<R>) sibling).operations().requeue(request);
        }

        private void drop(ReconcileContext context, String why) {
            dropped.log(
                    context.cluster(),
                    occurrence -> LOG.info(
                            "Controller {} drops the request {}: {}{}",
                            controller,
                            context.request(),
                            why,
                            occurrence.suffix()));
        }
    }
}
