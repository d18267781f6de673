package io.github.reconciler4j.test.spring;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Leaves out the warning of fabric8's client that a kind has a version such as v1alpha1: a test writes objects of its own kinds, whose
 * versions its author has chosen. A logging level of the application overrides this default.
 */
final class UnstableVersions implements EnvironmentPostProcessor {

    private static final String LOGGER = "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils";

    UnstableVersions() {}

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment
                .getPropertySources()
                .addLast(new MapPropertySource("operatorTestLogging", Map.of("logging.level." + LOGGER, "error")));
    }
}
