package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;

/**
 * The controller of CronJobs.
 *
 * @since 0.1.0
 */
public final class CronJobController {

    private static final int WORKERS = 5;

    private CronJobController() {}

    /** Return a builder of the controller. */
    public static ControllerBuilder<CronJob> builder(Manager manager, ControllersOptions options) {
        CronJobReconciler reconciler = new CronJobReconciler(manager.client(), manager.recorder(), options.clock());
        return ControllerBuilder.of(CronJob.class)
                .named("cronjob")
                .when(CronJobReconciler::isDueAtOnce)
                .watches(Watch.kind(CronJob.class).handler(reconciler::onNewSchedule))
                .owns(Job.class)
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(
                        RequiredPermission.on(CronJob.class, "get"),
                        RequiredPermission.on("batch", "cronjobs/status", "patch"),
                        RequiredPermission.on("batch", "cronjobs/finalizers", "update"),
                        RequiredPermission.on(Job.class, "get", "create", "delete"))
                .reconciler(reconciler);
    }
}
