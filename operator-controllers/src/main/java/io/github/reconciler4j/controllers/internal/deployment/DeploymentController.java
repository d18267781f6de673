package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.Kind;

/**
 * Declares the Deployment controller.
 *
 * @since 0.1.0
 */
public final class DeploymentController {

    private static final int WORKERS = 5;

    private DeploymentController() {}

    /** Return a builder of the controller, named {@code deployment}. */
    public static ControllerBuilder<Deployment> builder(Manager manager, ControllersOptions options) {
        DeploymentReconciler reconciler = new DeploymentReconciler(manager, options.clock());
        return ControllerBuilder.of(Deployment.class)
                .named("deployment")
                .owns(ReplicaSet.class)
                .watches(Watch.kind(Kind.of(ReplicaSet.class).metadata()).map(reconciler::possibleOwners))
                .watches(Watch.kind(Kind.of(Pod.class).metadata())
                        .when(EventPredicates.deleted())
                        .map(reconciler::deploymentsThatWaitFor))
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(
                        RequiredPermission.on("apps", "deployments", "get", "patch"),
                        RequiredPermission.on("apps", "deployments/status", "patch"),
                        RequiredPermission.on("apps", "deployments/finalizers", "update"),
                        RequiredPermission.on("apps", "replicasets", "create", "patch", "delete"))
                .reconciler(reconciler);
    }
}
