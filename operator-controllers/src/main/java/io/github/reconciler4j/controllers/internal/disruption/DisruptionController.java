package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;

/**
 * The controller of PodDisruptionBudgets.
 *
 * @since 0.1.0
 */
public final class DisruptionController {

    private DisruptionController() {}

    /** Return a builder of the controller. */
    public static RequestControllerBuilder<?> builder(Manager manager, ControllersOptions options) {
        DisruptionEvents handlers = new DisruptionEvents(manager.client(), manager.recorder(), options.clock());
        Scales scales = new Scales(manager.client(), manager.cache());
        return ControllerBuilder.forRequests("disruption", DisruptionRequest.class)
                .watches(Watch.kind(PodDisruptionBudget.class).handler(DisruptionEvents::onBudget))
                .watches(Watch.kind(Pod.class).handler(handlers::onPod))
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(1))
                .requiredPermissions(
                        RequiredPermission.on("policy", "poddisruptionbudgets/status", "patch"),
                        RequiredPermission.onCore("pods/status", "patch"),
                        RequiredPermission.on("*", "*/scale", "get"),
                        RequiredPermission.watching(ReplicationController.class),
                        RequiredPermission.watching(ReplicaSet.class),
                        RequiredPermission.watching(Deployment.class),
                        RequiredPermission.watching(StatefulSet.class))
                .reconciler(new DisruptionReconciler(manager.client(), manager.recorder(), scales, options.clock()));
    }
}
