package io.github.reconciler4j.examples;

import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.Manager;
import java.time.Duration;
import java.util.List;

/** What settings of Kubernetes' own controllers look like. */
final class ControllersUse {

    private ControllersUse() {}

    static List<AbstractControllerBuilder<?, ?>> builders(Manager manager) {
        ControllersOptions options = ControllersOptions.defaults()
                .withReplicaSetBurst(50)
                .withEndpointSliceBatchPeriod(Duration.ofMillis(500));
        return KubernetesControllers.builders(manager, options);
    }
}
