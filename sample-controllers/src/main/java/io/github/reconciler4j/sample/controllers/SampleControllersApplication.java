package io.github.reconciler4j.sample.controllers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

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
}
