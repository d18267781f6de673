package io.github.reconciler4j.health;

import io.github.reconciler4j.health.HealthCheck.Health;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Answers probes as Kubernetes' own components do: 200 and {@code ok}, or 500 and the checks that failed, without their
 * reasons, which are nobody's business who can merely reach the port. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class HealthEndpoint {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;

    private final String name;
    private final Supplier<? extends Collection<HealthCheck>> checks;
    private final Predicate<Health> good;

    private HealthEndpoint(String name, Supplier<? extends Collection<HealthCheck>> checks, Predicate<Health> good) {
        this.name = name;
        this.checks = checks;
        this.good = good;
    }

    /** Answers whether all parts are alive. */
    public static HealthEndpoint liveness(Supplier<? extends Collection<HealthCheck>> checks) {
        return new HealthEndpoint("healthz", checks, Health::alive);
    }

    /** Answers whether all parts are ready. */
    public static HealthEndpoint readiness(Supplier<? extends Collection<HealthCheck>> checks) {
        return new HealthEndpoint("readyz", checks, health -> health.alive() && health.ready());
    }

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param body plain text
     * @since 0.1.0
     */
    public record Answer(int status, String body) {}

    /**
     * Answers for all checks.
     *
     * @param verbose whether to list the checks also if all is well
     * @param excluded checks not to ask; names that nobody has are mentioned in the answer
     */
    public Answer all(boolean verbose, Set<String> excluded) {
        Map<String, Health> answers = answers();
        Set<String> unknown = new TreeSet<>(excluded);
        StringBuilder list = new StringBuilder();
        boolean well = true;
        for (Map.Entry<String, Health> entry : answers.entrySet()) {
            boolean skip = unknown.remove(entry.getKey());
            boolean passes = skip || good.test(entry.getValue());
            well &= passes;
            list.append(passes ? "[+]" : "[-]").append(entry.getKey());
            list.append(skip ? " excluded: ok" : passes ? " ok" : " failed: reason withheld")
                    .append('\n');
        }
        if (!unknown.isEmpty()) {
            list.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(unknown)
                    .append('\n');
        }
        if (well && !verbose) {
            return new Answer(OK, "ok");
        }
        return new Answer(well ? OK : FAILED, list + name + (well ? " check passed\n" : " check failed\n"));
    }

    /** Answers for one check; 404 if there is none of that name. */
    public Answer one(String check) {
        Health health = answers().get(check);
        if (health == null) {
            return new Answer(NOT_FOUND, "there is no check " + name + "/" + printable(check) + "\n");
        }
        return good.test(health)
                ? new Answer(OK, "ok")
                : new Answer(FAILED, "check " + check + " failed: reason withheld\n");
    }

    private static String printable(String text) {
        return text.replaceAll("[^A-Za-z0-9._/-]", "?");
    }

    private Map<String, Health> answers() {
        Map<String, Health> answers =
                new LinkedHashMap<>(HealthReport.of(checks.get()).checks());
        if (answers.isEmpty()) {
            answers.put("ping", new Health(true, true, Map.of()));
        }
        return answers;
    }
}
