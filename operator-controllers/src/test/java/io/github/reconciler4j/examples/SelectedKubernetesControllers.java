package io.github.reconciler4j.examples;

import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.Manager;
import java.util.List;

/** All controllers of Kubernetes but one, added to a manager. */
final class SelectedKubernetesControllers {

    private SelectedKubernetesControllers() {}

    static void add(Manager manager) {
        AbstractControllerBuilder.addSelected(
                manager,
                ControllerSelection.of(List.of("*", "-endpoints")),
                KubernetesControllers.builders(manager, ControllersOptions.defaults()));
    }
}
