package io.github.reconciler4j.controllers.internal.replicaset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.Kind;

/**
 * Declares the ReplicaSet controller.
 *
 * @since 0.1.0
 */
public final class ReplicaSetController {

    private static final int WORKERS = 5;

    private ReplicaSetController() {}

    /** Return a builder of the controller, named {@code replicaset}. */
    public static ControllerBuilder<ReplicaSet> builder(Manager manager, ControllersOptions options) {
        ReplicaSetReconciler reconciler = new ReplicaSetReconciler(manager, options);
        return ControllerBuilder.of(ReplicaSet.class)
                .named("replicaset")
                .owns(Pod.class)
                .watches(Watch.kind(Kind.of(Pod.class).metadata()).map(reconciler::possibleOwners))
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(
                        RequiredPermission.onCore("pods", "create", "delete", "patch"),
                        RequiredPermission.on("apps", "replicasets", "get"),
                        RequiredPermission.on("apps", "replicasets/status", "patch"),
                        RequiredPermission.on("apps", "replicasets/finalizers", "update"))
                .reconciler(reconciler);
    }
}
