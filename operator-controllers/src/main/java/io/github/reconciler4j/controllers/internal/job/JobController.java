package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.time.Duration;

/**
 * The controller of Jobs.
 *
 * @since 0.1.0
 */
public final class JobController {

    private static final int WORKERS = 5;

    private JobController() {}

    /** Return a builder of the controller. */
    public static RequestControllerBuilder<?> builder(Manager manager, ControllersOptions options) {
        Client client = manager.client();
        JobEvents handlers = new JobEvents(client);
        return ControllerBuilder.forRequests("job", JobRequest.class)
                .watches(Watch.kind(Job.class).handler(handlers::onJob))
                .watches(Watch.kind(Pod.class).handler(handlers::onPod))
                .customizeOptions(defaults -> defaults.withMaxConcurrentReconciles(WORKERS)
                        .withBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .requiredPermissions(
                        RequiredPermission.on(Job.class, "get"),
                        RequiredPermission.on("batch", "jobs/status", "patch"),
                        RequiredPermission.on("batch", "jobs/finalizers", "update"),
                        RequiredPermission.on(Pod.class, "create", "delete", "patch"))
                .reconciler(new JobReconciler(client, manager.cache(), manager.recorder(), options.clock()));
    }
}
