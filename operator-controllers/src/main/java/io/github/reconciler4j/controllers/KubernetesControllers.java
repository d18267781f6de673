package io.github.reconciler4j.controllers;

import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controllers.internal.cronjob.CronJobController;
import io.github.reconciler4j.controllers.internal.daemonset.DaemonSetController;
import io.github.reconciler4j.controllers.internal.deployment.DeploymentController;
import io.github.reconciler4j.controllers.internal.disruption.DisruptionController;
import io.github.reconciler4j.controllers.internal.endpoints.EndpointsController;
import io.github.reconciler4j.controllers.internal.endpointslice.EndpointSliceController;
import io.github.reconciler4j.controllers.internal.garbagecollector.GarbageCollectorController;
import io.github.reconciler4j.controllers.internal.job.JobController;
import io.github.reconciler4j.controllers.internal.namespace.NamespaceController;
import io.github.reconciler4j.controllers.internal.replicaset.ReplicaSetController;
import io.github.reconciler4j.controllers.internal.replicationcontroller.ReplicationControllerController;
import io.github.reconciler4j.controllers.internal.statefulset.StatefulSetController;
import io.github.reconciler4j.controllers.internal.ttlafterfinished.TtlAfterFinishedController;
import io.github.reconciler4j.manager.Manager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Kubernetes' own controllers by name. The names are those of kube-controller-manager, without {@code -controller}.
 *
 * <!-- snippet: SelectedKubernetesControllers -->
 * <pre>{@code
 * AbstractControllerBuilder.addSelected(
 *         manager,
 *         ControllerSelection.of(List.of("*", "-endpoints")),
 *         KubernetesControllers.builders(manager, ControllersOptions.defaults()));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class KubernetesControllers {

    /** Builds one controller for a manager. */
    @FunctionalInterface
    private interface Factory {
        AbstractControllerBuilder<?, ?> builder(Manager manager, ControllersOptions options);
    }

    /** One line for each controller, in the order of the names. */
    private static final Map<String, Factory> FACTORIES = new TreeMap<>(Map.ofEntries(
            Map.entry("cronjob", CronJobController::builder),
            Map.entry("daemonset", DaemonSetController::builder),
            Map.entry("deployment", DeploymentController::builder),
            Map.entry("disruption", DisruptionController::builder),
            Map.entry("endpoints", EndpointsController::builder),
            Map.entry("endpointslice", EndpointSliceController::builder),
            Map.entry("garbage-collector", GarbageCollectorController::builder),
            Map.entry("job", JobController::builder),
            Map.entry("namespace", NamespaceController::builder),
            Map.entry("replicaset", ReplicaSetController::builder),
            Map.entry("replicationcontroller", ReplicationControllerController::builder),
            Map.entry("statefulset", StatefulSetController::builder),
            Map.entry("ttl-after-finished", TtlAfterFinishedController::builder)));

    private KubernetesControllers() {}

    /** Return the names of all controllers, sorted. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(FACTORIES.keySet());
    }

    /**
     * Return a builder for each controller. Pass them to
     * {@link AbstractControllerBuilder#addSelected AbstractControllerBuilder.addSelected}, which adds those that you select.
     *
     * @param manager whose client and cache the controllers use
     */
    public static List<AbstractControllerBuilder<?, ?>> builders(Manager manager, ControllersOptions options) {
        Objects.requireNonNull(manager, "manager");
        Objects.requireNonNull(options, "options");
        List<AbstractControllerBuilder<?, ?>> builders = new ArrayList<>();
        FACTORIES.values().forEach(factory -> builders.add(factory.builder(manager, options)));
        return builders;
    }
}
