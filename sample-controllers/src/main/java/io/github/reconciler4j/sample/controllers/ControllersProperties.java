package io.github.reconciler4j.sample.controllers;

import io.github.reconciler4j.controllers.ControllersOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that kube-controller-manager has flags for.
 *
 * @param useServiceAccountCredentials whether each controller writes as a service account of its own, which has the name of the
 *     controller and the namespace of the application
 * @param replicaset settings of the ReplicaSet controller
 * @param endpoints settings of the Endpoints controller
 * @param endpointslice settings of the EndpointSlice controller
 * @since 0.1.0
 */
@ConfigurationProperties("controllers")
public record ControllersProperties(
        @DefaultValue("false") boolean useServiceAccountCredentials,
        @DefaultValue ReplicaSets replicaset,
        @DefaultValue Endpoints endpoints,
        @DefaultValue EndpointSlices endpointslice) {

    /** Return the settings as options of the controllers. */
    ControllersOptions options() {
        return ControllersOptions.defaults()
                .withReplicaSetBurst(replicaset.burst())
                .withEndpointsBatchPeriod(endpoints.batchPeriod())
                .withEndpointSliceBatchPeriod(endpointslice.batchPeriod())
                .withMaxEndpointsPerSlice(endpointslice.maxEndpointsPerSlice());
    }

    /**
     * Settings of the ReplicaSet controller.
     *
     * @param burst maximum number of pods that are created or deleted for one ReplicaSet at a time
     */
    public record ReplicaSets(@DefaultValue("500") int burst) {}

    /**
     * Settings of the Endpoints controller.
     *
     * @param batchPeriod time in which changes of pods are collected
     */
    public record Endpoints(@DefaultValue("0s") Duration batchPeriod) {}

    /**
     * Settings of the EndpointSlice controller.
     *
     * @param batchPeriod time in which changes of pods are collected
     * @param maxEndpointsPerSlice maximum number of endpoints in a slice
     */
    public record EndpointSlices(
            @DefaultValue("0s") Duration batchPeriod,
            @DefaultValue("100") int maxEndpointsPerSlice) {}
}
