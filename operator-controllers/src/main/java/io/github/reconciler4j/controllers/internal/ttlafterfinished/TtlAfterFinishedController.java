package io.github.reconciler4j.controllers.internal.ttlafterfinished;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;

/**
 * The controller that deletes Jobs some time after they have finished.
 *
 * @since 0.1.0
 */
public final class TtlAfterFinishedController {

    private static final int WORKERS = 5;

    private TtlAfterFinishedController() {}

    /** Return a builder of the controller. */
    public static ControllerBuilder<Job> builder(Manager manager, ControllersOptions options) {
        return ControllerBuilder.of(Job.class)
                .named("ttl-after-finished")
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(RequiredPermission.on(Job.class, "get", "delete"))
                .reconciler(new TtlAfterFinishedReconciler(manager.client(), options.clock()));
    }
}
