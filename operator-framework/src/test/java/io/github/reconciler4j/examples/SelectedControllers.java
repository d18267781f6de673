package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import java.util.List;

/** Controllers that are chosen by name. */
final class SelectedControllers {

    private SelectedControllers() {}

    static List<Controller<?>> add(Manager manager, String argument) {
        ControllerSelection selection = ControllerSelection.of(List.of(argument.split(",")));
        return ControllerBuilder.addSelected(manager, selection, List.of(greetings(), tenants()));
    }

    private static ControllerBuilder<Greeting> greetings() {
        return ControllerBuilder.of(Greeting.class).reconciler((greeting, context) -> Result.done());
    }

    private static RequestControllerBuilder<String> tenants() {
        return ControllerBuilder.forRequests("tenants", String.class)
                .watches(
                        Namespace.class,
                        namespace -> List.of(namespace.getMetadata().getName()))
                .reconciler((tenant, context) -> Result.done());
    }
}
