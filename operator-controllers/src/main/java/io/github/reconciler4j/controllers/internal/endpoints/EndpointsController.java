package io.github.reconciler4j.controllers.internal.endpoints;

import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.internal.services.PodEvents;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;

/**
 * Declares the Endpoints controller.
 *
 * @since 0.1.0
 */
public final class EndpointsController {

    private static final int WORKERS = 5;

    private EndpointsController() {}

    /** Return a builder of the controller, named {@code endpoints}. */
    public static ControllerBuilder<Service> builder(Manager manager, ControllersOptions options) {
        ControllerBuilder<Service> controller = ControllerBuilder.of(Service.class)
                .named("endpoints")
                .watches(Watch.kind(Endpoints.class).handler(EndpointsReconciler::onEndpoints))
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(RequiredPermission.onCore("endpoints", "get", "create", "patch", "delete"))
                .requestReconciler(new EndpointsReconciler(manager));
        PodEvents.watch(controller, "endpoints-selector", manager.client(), options.endpointsBatchPeriod());
        return controller;
    }
}
