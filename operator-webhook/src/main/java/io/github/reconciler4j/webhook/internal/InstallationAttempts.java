package io.github.reconciler4j.webhook.internal;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RetryPace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what an {@link Installation} has to apply, at start and again until it is applied. Whatever the API server answers, it gets few
 * requests: what was applied is not applied again, the delay between two attempts doubles, and a {@link RetryPace} bounds all of them.
 *
 * <p>The attempts are those of the thread that starts the server, then those of one other thread. Thread-safe.
 */
public final class InstallationAttempts {

    /** The delays between two attempts. */
    static final Backoff DELAYS = Backoff.of(Duration.ofSeconds(2), Duration.ofMinutes(1));

    private static final Logger LOG = LoggerFactory.getLogger(InstallationAttempts.class);

    private final Installation installation;
    private final RetryPace pace;
    private final LogLimiter warnings;
    private final PeriodicChecks checks = new PeriodicChecks("webhook-configurations", DELAYS);

    /** What keeps objects from being applied, by the name of the object; {@code ""} before the first attempt. */
    private volatile Map<String, String> problems;

    /** Create attempts; none is made yet. */
    public InstallationAttempts(Installation installation, TimeSource time) {
        this.installation = installation;
        this.pace = new RetryPace(time, installation.requests());
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.problems = installation.pending();
    }

    /** Return what keeps objects from being applied. */
    public List<String> problems() {
        return problems.values().stream()
                .filter(problem -> !problem.isEmpty())
                .distinct()
                .toList();
    }

    /** Apply what is not applied yet. Each object that cannot be applied is logged, at most once a minute; equal problems share a line. */
    public void attempt(Client client) {
        Map<String, String> before = problems;
        Map<String, String> now = installation.apply(ClientWiring.paced(client, pace), before.keySet());
        problems = now;
        Map<String, String> distinct = new LinkedHashMap<>();
        now.forEach((name, problem) -> distinct.putIfAbsent(problem, name));
        distinct.forEach((problem, name) -> warnings.log(
                name, occurrence -> LOG.warn("{}; trying again until it can be{}", problem, occurrence.suffix())));
        if (now.isEmpty() && before.values().stream().anyMatch(problem -> !problem.isEmpty())) {
            LOG.info("All webhook configurations are applied");
        }
    }

    /** Repeat the attempt in a thread until all is applied or this is stopped. */
    public void repeat(Client client) {
        if (!problems.isEmpty()) {
            checks.start(
                    () -> {
                        if (!problems.isEmpty()) {
                            attempt(client);
                        }
                    },
                    e -> LOG.warn("Could not apply the webhook configurations", e));
        }
    }

    /** Stop to repeat, and wait up to 5 seconds for an attempt in progress. The next start applies all objects again. */
    public void stop() {
        checks.stop();
        problems = installation.pending();
    }
}
