package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.Kind;

/**
 * Declares the DaemonSet controller.
 *
 * @since 0.1.0
 */
public final class DaemonSetController {

    private static final int WORKERS = 2;

    private DaemonSetController() {}

    /** Return a builder of the controller for a manager. */
    public static ControllerBuilder<DaemonSet> builder(Manager manager, ControllersOptions options) {
        DaemonSetReconciler reconciler =
                new DaemonSetReconciler(manager.client(), manager.cache(), manager.recorder(), options.clock());
        return ControllerBuilder.of(DaemonSet.class)
                .named("daemonset")
                .reconcileOn(ReconcileOn.SPEC_OR_METADATA)
                .owns(Pod.class)
                .owns(ControllerRevision.class)
                .watches(Watch.kind(Kind.of(Pod.class).metadata()).map(reconciler::possibleOwners))
                .watches(
                        Watch.kind(Kind.of(ControllerRevision.class).metadata()).map(reconciler::possibleOwners))
                .watches(Watch.kind(Node.class).handler(new NodeEvents(manager.client())))
                .index(Kind.of(Pod.class), NodeEvents.INDEX, NodeEvents::terms)
                .requiredPermissions(
                        RequiredPermission.on(DaemonSet.class, "get"),
                        RequiredPermission.on("apps", "daemonsets/status", "get", "patch"),
                        RequiredPermission.on("apps", "daemonsets/finalizers", "update"),
                        RequiredPermission.on(Pod.class, "get", "create", "patch", "delete"),
                        RequiredPermission.on(ControllerRevision.class, "get", "create", "patch", "delete"))
                .customizeOptions(settings -> settings.withMaxConcurrentReconciles(WORKERS))
                .reconciler(reconciler);
    }
}
