package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;

/** A complete operator without Spring: maintains a ConfigMap for each Greeting. */
public final class GreetingOperator {

    private GreetingOperator() {}

    /** Run the operator until the process is stopped. */
    public static void main(String[] args) throws Exception {
        try (Manager manager = create(Config.autoConfigure(null))) {
            manager.start();
            manager.await();
        }
    }

    static Manager create(Config config) {
        Manager manager = Manager.create(config);
        ControllerBuilder.of(Greeting.class)
                .owns(ConfigMap.class)
                .reconciler((greeting, context) -> {
                    manager.client().apply(configMapFor(greeting));
                    return Result.done();
                })
                .addTo(manager);
        return manager;
    }

    private static ConfigMap configMapFor(Greeting greeting) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(greeting.getMetadata().getNamespace())
                .withName(greeting.getMetadata().getName())
                .endMetadata()
                .addToData("text", "Hello, " + greeting.getSpec().getName() + "!")
                .build();
        OwnerReferences.setController(map, greeting);
        return map;
    }
}
