package io.github.reconciler4j.health;

import io.github.reconciler4j.health.HealthCheck.Health;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all checks said at one moment. Immutable.
 *
 * @param checks the answers by the names of the checks, in their order
 * @since 0.1.0
 */
public record HealthReport(Map<String, Health> checks) {

    private static final Logger LOG = LoggerFactory.getLogger(HealthReport.class);

    /** Copies the answers. */
    public HealthReport {
        checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
    }

    /** Asks all checks. One that throws counts as alive but not ready. */
    public static HealthReport of(Collection<HealthCheck> checks) {
        Map<String, Health> answers = new LinkedHashMap<>();
        for (HealthCheck check : checks) {
            answers.put(check.name(), ask(check));
        }
        return new HealthReport(answers);
    }

    private static Health ask(HealthCheck check) {
        try {
            return check.check();
        } catch (RuntimeException e) {
            LOG.warn("Health check {} failed", check.name(), e);
            return new Health(true, false, Map.of("error", e.getClass().getName()));
        }
    }

    /** Whether all parts can still do their work without the process being started anew. */
    public boolean isAlive() {
        return checks.values().stream().allMatch(Health::alive);
    }

    /** Whether all parts do their work now, or stand by ready to. */
    public boolean isReady() {
        return checks.values().stream().allMatch(health -> health.alive() && health.ready());
    }

    /** The names of the checks that keep it from being alive. */
    public List<String> dead() {
        return names(health -> !health.alive());
    }

    /** The names of the checks that keep it from being ready. */
    public List<String> unready() {
        return names(health -> !health.alive() || !health.ready());
    }

    private List<String> names(Predicate<Health> condition) {
        return checks.entrySet().stream()
                .filter(entry -> condition.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
