package io.github.reconciler4j.builder;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.reconcile.RequestReconciler;

/**
 * Builds a controller without a primary kind: for aggregates, for external systems, and for other request types than
 * namespace and name. Its requests come from the kinds that it watches and from its sources.
 *
 * <!-- snippet: SelectedControllers -->
 * <pre>{@code
 * return ControllerBuilder.forRequests("tenants", String.class)
 *         .watches(
 *                 Namespace.class,
 *                 namespace -> List.of(namespace.getMetadata().getName()))
 *         .reconciler((tenant, context) -> Result.done());
 * }</pre>
 *
 * <p>Use a builder once. Not thread-safe.
 *
 * @param <R> the type of requests: immutable, with {@code equals} and {@code hashCode}
 * @since 0.1.0
 */
public final class RequestControllerBuilder<R> extends AbstractControllerBuilder<R, RequestControllerBuilder<R>> {

    private final String name;

    RequestControllerBuilder(String name) {
        this.name = name;
        assembly.name(name);
    }

    /**
     * Set the reconciler.
     *
     * @throws IllegalStateException if the builder already has a reconciler
     */
    public RequestControllerBuilder<R> reconciler(RequestReconciler<R> reconciler) {
        assembly.reconciler(reconciler);
        return this;
    }

    @Override
    RequestControllerBuilder<R> self() {
        return this;
    }

    @Override
    String nameFor(BuildTarget site) {
        return name;
    }

    @Override
    Controller<R> build(BuildTarget site) {
        return assembly.copy().build(site); // the options differ from cluster to cluster
    }
}
