package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.internal.services.PodEvents;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;
import java.time.Duration;

/**
 * Declares the EndpointSlice controller.
 *
 * @since 0.1.0
 */
public final class EndpointSliceController {

    private static final int WORKERS = 5;
    private static final Duration INITIAL_BACKOFF = Duration.ofSeconds(1);

    private EndpointSliceController() {}

    /** Return a builder of the controller, named {@code endpointslice}. */
    public static ControllerBuilder<Service> builder(Manager manager, ControllersOptions options) {
        Client client = manager.client();
        TopologyHints topology = new TopologyHints(() -> client.list(Node.class));
        SliceEvents sliceEvents = new SliceEvents(options.endpointSliceBatchPeriod());
        ControllerBuilder<Service> controller = ControllerBuilder.of(Service.class)
                .named("endpointslice")
                .watches(Watch.kind(EndpointSlice.class).handler(sliceEvents))
                .watches(Watch.kind(Node.class).handler(new NodeEvents(topology)))
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS)
                        .withBackoff(INITIAL_BACKOFF, defaults.maxBackoff()))
                .requiredPermissions(
                        RequiredPermission.on(
                                "discovery.k8s.io", "endpointslices", "get", "create", "update", "patch", "delete"),
                        RequiredPermission.onCore("services/finalizers", "update"))
                .requestReconciler(
                        new EndpointSliceReconciler(manager, options.maxEndpointsPerSlice(), topology, sliceEvents));
        PodEvents.watch(controller, "endpointslice-selector", client, options.endpointSliceBatchPeriod());
        return controller;
    }
}
