package io.github.reconciler4j.controllers.internal.replicationcontroller;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.Kind;

/**
 * Declares the controller of ReplicationControllers.
 *
 * @since 0.1.0
 */
public final class ReplicationControllerController {

    private static final int WORKERS = 5;

    private ReplicationControllerController() {}

    /** Return a builder of the controller, named {@code replicationcontroller}. */
    public static ControllerBuilder<ReplicationController> builder(Manager manager, ControllersOptions options) {
        ReplicationControllerReconciler reconciler = new ReplicationControllerReconciler(manager, options);
        return ControllerBuilder.of(ReplicationController.class)
                .named("replicationcontroller")
                .owns(Pod.class)
                .watches(Watch.kind(Kind.of(Pod.class).metadata()).map(reconciler::possibleOwners))
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(
                        RequiredPermission.onCore("pods", "create", "delete", "patch"),
                        RequiredPermission.onCore("replicationcontrollers", "get"),
                        RequiredPermission.onCore("replicationcontrollers/status", "patch"),
                        RequiredPermission.onCore("replicationcontrollers/finalizers", "update"))
                .reconciler(reconciler);
    }
}
