package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.autoconfigure.health.OperatorHealthAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.metrics.OperatorMetricsAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with an operator that is not started. */
abstract class OperatorContextFixture {

    final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OperatorAutoConfiguration.class,
                    OperatorHealthAutoConfiguration.class,
                    OperatorMetricsAutoConfiguration.class))
            .withBean(
                    Config.class,
                    () -> new ConfigBuilder(Config.empty())
                            .withMasterUrl("https://127.0.0.1:1")
                            .build())
            .withPropertyValues("reconciler4j.auto-startup=false", "spring.application.name=shop");

    static Controller<?> controller(Manager manager, String name) {
        return manager.components().stream()
                .filter(Controller.class::isInstance)
                .<Controller<?>>map(component -> (Controller<?>) component)
                .filter(controller -> controller.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no controller " + name + " in " + manager.components()));
    }
}
