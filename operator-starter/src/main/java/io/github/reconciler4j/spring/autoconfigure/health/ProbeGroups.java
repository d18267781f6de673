package io.github.reconciler4j.spring.autoconfigure.health;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Adds the health indicators of the operator to the groups for Kubernetes probes. Every property of the application
 * overrides this default.
 */
final class ProbeGroups implements EnvironmentPostProcessor {

    private static final String HEALTH_INDICATOR = "org.springframework.boot.health.contributor.HealthIndicator";
    private static final String GROUP = "management.endpoint.health.group.";

    ProbeGroups() {}

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (!ClassUtils.isPresent(HEALTH_INDICATOR, getClass().getClassLoader())
                || !environment.getProperty("reconciler4j.enabled", Boolean.class, true)
                || !environment.getProperty("management.health.reconciler4j.enabled", Boolean.class, true)) {
            return;
        }
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "reconciler4jProbes",
                        Map.of(
                                "management.endpoint.health.probes.enabled",
                                "true",
                                GROUP + "liveness.include",
                                "livenessState,reconciler4jLiveness",
                                GROUP + "readiness.include",
                                "readinessState,reconciler4jReadiness")));
    }
}
