package io.github.reconciler4j.health;

import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.support.LogLimiter;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The results of all health checks at one moment. Immutable.
 *
 * @param checks the results by the names of the checks, in their order
 * @since 0.1.0
 */
public record HealthReport(Map<String, Health> checks) {

    private static final Logger LOG = LoggerFactory.getLogger(HealthReport.class);
    private static final LogLimiter WARNINGS = new LogLimiter();

    /** Copy the results. */
    public HealthReport {
        checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
    }

    /**
     * Run all checks. A check that throws is alive but not ready. If it throws a {@link VirtualMachineError} other than a stack
     * overflow, it is not alive either: the process cannot be trusted after it.
     */
    public static HealthReport of(Collection<HealthCheck> checks) {
        return of(checks, WARNINGS);
    }

    static HealthReport of(Collection<HealthCheck> checks, LogLimiter warnings) {
        Map<String, Health> results = new LinkedHashMap<>();
        for (HealthCheck check : checks) {
            results.put(nameOf(check), run(check, warnings));
        }
        return new HealthReport(results);
    }

    private static String nameOf(HealthCheck check) {
        try {
            return check.name();
        } catch (Throwable e) {
            return check.getClass().getName();
        }
    }

    private static Health run(HealthCheck check, LogLimiter warnings) {
        try {
            return Objects.requireNonNull(check.check(), "the check returned null");
        } catch (Throwable e) {
            warnings.log(
                    nameOf(check) + LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Health check '{}' failed{}", nameOf(check), occurrence.suffix(e), occurrence.trace(e)));
            boolean alive = !(e instanceof VirtualMachineError) || e instanceof StackOverflowError;
            return new Health(alive, false, Map.of("error", e.getClass().getName()));
        }
    }

    /** Return whether all parts can do their work without a restart of the process. */
    public boolean isAlive() {
        return checks.values().stream().allMatch(Health::alive);
    }

    /** Return whether all parts do their work, or are ready to do it when it is their turn. */
    public boolean isReady() {
        return checks.values().stream().allMatch(health -> health.alive() && health.ready());
    }

    /** Return the names of the checks that are not alive. */
    public List<String> notAlive() {
        return names(health -> !health.alive());
    }

    /** Return the names of the checks that are not ready. */
    public List<String> notReady() {
        return names(health -> !health.alive() || !health.ready());
    }

    private List<String> names(Predicate<Health> condition) {
        return checks.entrySet().stream()
                .filter(entry -> condition.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
