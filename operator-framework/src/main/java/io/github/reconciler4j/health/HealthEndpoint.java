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
 * Responds to probes as the components of Kubernetes do: status 200 and {@code ok}, or status 500 and the names of the failed
 * checks. Reasons are withheld, because the endpoint is not authenticated. Thread-safe.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * HealthEndpoint readiness = HealthEndpoint.readiness(manager::healthChecks);
 * return readiness.all(false, Set.of("chat"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class HealthEndpoint {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;

    private final String name;
    private final Supplier<? extends Collection<HealthCheck>> checks;
    private final Predicate<Health> passes;

    private HealthEndpoint(String name, Supplier<? extends Collection<HealthCheck>> checks, Predicate<Health> passes) {
        this.name = name;
        this.checks = checks;
        this.passes = passes;
    }

    /** Return an endpoint that reports whether all parts are alive. */
    public static HealthEndpoint liveness(Supplier<? extends Collection<HealthCheck>> checks) {
        return new HealthEndpoint("healthz", checks, Health::alive);
    }

    /** Return an endpoint that reports whether all parts are alive and ready. */
    public static HealthEndpoint readiness(Supplier<? extends Collection<HealthCheck>> checks) {
        return new HealthEndpoint("readyz", checks, health -> health.alive() && health.ready());
    }

    /**
     * A response.
     *
     * @param status the HTTP status
     * @param body plain text
     * @since 0.1.0
     */
    public record Response(int status, String body) {}

    /**
     * Respond for all checks.
     *
     * @param verbose whether to list the checks also if all of them pass
     * @param excluded the names of checks to ignore; the response mentions unknown names
     */
    public Response all(boolean verbose, Set<String> excluded) {
        Set<String> unknown = new TreeSet<>(excluded);
        StringBuilder list = new StringBuilder();
        boolean allPass = true;
        for (Map.Entry<String, Health> entry : results().entrySet()) {
            boolean skip = unknown.remove(entry.getKey());
            boolean pass = skip || passes.test(entry.getValue());
            allPass &= pass;
            list.append(pass ? "[+]" : "[-]").append(entry.getKey());
            list.append(skip ? " excluded: ok" : pass ? " ok" : " failed: reason withheld")
                    .append('\n');
        }
        if (!unknown.isEmpty()) {
            list.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(printable(unknown.toString()))
                    .append('\n');
        }
        if (allPass && !verbose) {
            return new Response(OK, "ok");
        }
        String verdict = allPass ? " check passed\n" : " check failed\n";
        return new Response(allPass ? OK : FAILED, list + name + verdict);
    }

    /** Respond for one check, with status 404 if it does not exist. */
    public Response one(String check) {
        Health health = results().get(check);
        if (health == null) {
            return new Response(NOT_FOUND, "there is no check " + name + "/" + printable(check) + "\n");
        }
        return passes.test(health)
                ? new Response(OK, "ok")
                : new Response(FAILED, "check " + check + " failed: reason withheld\n");
    }

    private static String printable(String text) {
        return text.replaceAll("[^A-Za-z0-9._/, \\[\\]-]", "?");
    }

    private Map<String, Health> results() {
        Map<String, Health> results =
                new LinkedHashMap<>(HealthReport.of(checks.get()).checks());
        if (results.isEmpty()) {
            results.put("ping", new Health(true, true, Map.of()));
        }
        return results;
    }
}
