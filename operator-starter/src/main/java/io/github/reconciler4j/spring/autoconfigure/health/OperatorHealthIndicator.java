package io.github.reconciler4j.spring.autoconfigure.health;

import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.manager.Manager;
import java.util.function.Predicate;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Is up if all checks of the manager pass. The details are those of the checks, by name. */
final class OperatorHealthIndicator implements HealthIndicator {

    private final Manager manager;
    private final Predicate<HealthCheck.Health> passes;

    OperatorHealthIndicator(Manager manager, Predicate<HealthCheck.Health> passes) {
        this.manager = manager;
        this.passes = passes;
    }

    @Override
    public Health health() {
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
