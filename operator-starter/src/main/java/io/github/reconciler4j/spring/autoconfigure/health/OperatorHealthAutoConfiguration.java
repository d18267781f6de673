package io.github.reconciler4j.spring.autoconfigure.health;

import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of two health indicators: {@code reconciler4jLiveness} shows whether the
 * operator still works, {@code reconciler4jReadiness} whether it has started, as leader or as standby. Both are members of
 * the health groups for Kubernetes probes.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = OperatorAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Manager.class)
@ConditionalOnEnabledHealthIndicator("reconciler4j")
public final class OperatorHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "reconciler4jLivenessHealthIndicator")
    HealthIndicator reconciler4jLivenessHealthIndicator(Manager manager) {
        return () -> health(manager, HealthCheck.Health::alive);
    }

    @Bean
    @ConditionalOnMissingBean(name = "reconciler4jReadinessHealthIndicator")
    HealthIndicator reconciler4jReadinessHealthIndicator(Manager manager) {
        return () -> health(manager, HealthCheck.Health::ready);
    }

    /** Return up if all checks of the manager pass, with the details of the checks by name. */
    private static Health health(Manager manager, Predicate<HealthCheck.Health> passes) {
        Health.Builder health = Health.up();
        HealthReport.of(manager.healthChecks()).checks().forEach((name, found) -> {
            if (!passes.test(found)) {
                health.down();
            }
            health.withDetail(name, found.details());
        });
        return health.build();
    }
}
