package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizers;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import java.time.Duration;
import java.util.List;

/** Options for all controllers of a manager and for one, and a controller with its own type of requests. */
final class TunedControllers {

    private TunedControllers() {}

    static ManagerOptions defaults() {
        ControllerCustomizers customizers = ControllerCustomizers.none()
                .withDefaults(controller ->
                        controller.customizeOptions(options -> options.withReconcileTimeout(Duration.ofMinutes(1))));
        return ManagerOptions.defaults().withComponentDefaults(customizers);
    }

    static Controller<Request> options(Manager manager) {
        return ControllerBuilder.of(Greeting.class)
                .customizeOptions(options -> options.withNamespaceShare(0.5)
                        .withPlacement(Placement.leader().withWarmUp(true)))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    /** A name in one of several clusters. */
    record ClusterRequest(String cluster, String name) {}

    static ChannelSource<ConfigMap, ClusterRequest> clusters(Manager manager) {
        ChannelSource<ConfigMap, ClusterRequest> far = ChannelSource.mapping(
                "far",
                map -> List.of(new ClusterRequest("far", map.getMetadata().getName())));
        ControllerBuilder.forRequests("clusters", ClusterRequest.class)
                .watches(
                        Namespace.class,
                        namespace -> List.of(new ClusterRequest(
                                "near", namespace.getMetadata().getName())))
                .source(far)
                .reconciler((request, context) -> Result.done())
                .addTo(manager);
        return far;
    }
}
