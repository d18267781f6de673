package io.github.reconciler4j.sample.controllers;

import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.Manager;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/**
 * Runs the controllers, as kube-controller-manager runs its own.
 *
 * @since 0.1.0
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SampleControllersApplication {

    /** Start the application; settings as for any Spring Boot application. */
    public static void main(String[] arguments) {
        SpringApplication.run(SampleControllersApplication.class, arguments);
    }

    /** The starter makes a controller of each builder, as of each {@code @Reconciler} bean. */
    @Bean
    static List<AbstractControllerBuilder<?, ?>> controllers(Manager manager, ControllersProperties properties) {
        List<AbstractControllerBuilder<?, ?>> builders = KubernetesControllers.builders(manager, properties.options());
        if (properties.useServiceAccountCredentials()) {
            builders.forEach(builder ->
                    builder.customizeOptions(options -> options.withServiceAccount(builder.nameIn(manager))));
        }
        return builders;
    }
}
