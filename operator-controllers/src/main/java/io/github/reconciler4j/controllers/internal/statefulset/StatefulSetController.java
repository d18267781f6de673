package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.Kind;

/**
 * Declares the StatefulSet controller.
 *
 * @since 0.1.0
 */
public final class StatefulSetController {

    private static final int WORKERS = 5;

    private StatefulSetController() {}

    /** Return a builder of the controller for a manager. */
    public static ControllerBuilder<StatefulSet> builder(Manager manager, ControllersOptions options) {
        StatefulSetReconciler reconciler =
                new StatefulSetReconciler(manager.client(), manager.cache(), manager.recorder(), options.clock());
        return ControllerBuilder.of(StatefulSet.class)
                .named("statefulset")
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .owns(Pod.class)
                .watches(Watch.kind(Kind.of(Pod.class).metadata()).map(reconciler::possibleOwners))
                .requiredPermissions(
                        RequiredPermission.on(StatefulSet.class, "get"),
                        RequiredPermission.on("apps", "statefulsets/status", "get", "patch"),
                        RequiredPermission.on("apps", "statefulsets/finalizers", "update"),
                        RequiredPermission.on(Pod.class, "get", "create", "patch", "delete"),
                        RequiredPermission.onCore("pods/finalizers", "update"),
                        RequiredPermission.watching(PersistentVolumeClaim.class),
                        RequiredPermission.on(PersistentVolumeClaim.class, "get", "create", "patch"),
                        RequiredPermission.watching(ControllerRevision.class),
                        RequiredPermission.on(ControllerRevision.class, "get", "create", "patch", "delete"))
                .customizeOptions(settings -> settings.withMaxConcurrentReconciles(WORKERS))
                .reconciler(reconciler);
    }
}
