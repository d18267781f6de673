package io.github.reconciler4j.controllers.internal.daemonset;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers when failed pods were replaced, by DaemonSet and node, so that a node which refuses each pod does not get them
 * one after the other: the delay doubles from a second to 15 minutes.
 *
 * <p>Safe for use by many threads.
 */
final class FailedPods {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final Duration FORGOTTEN = LONGEST.multipliedBy(2);

    private record Delay(Duration duration, Instant since) {}

    private final Map<String, Delay> delays = new HashMap<>();

    /** Return how long a failed pod has to stay; empty if it may be deleted now, which is noted. */
    synchronized Optional<Duration> delete(String key, Instant now) {
        delays.values().removeIf(delay -> isForgotten(delay, now));
        Delay delay = delays.get(key);
        if (delay != null && Duration.between(delay.since(), now).compareTo(delay.duration()) < 0) {
            return Optional.of(delay.duration());
        }
        Duration next = delay == null ? FIRST : delay.duration().multipliedBy(2);
        delays.put(key, new Delay(next.compareTo(LONGEST) > 0 ? LONGEST : next, now));
        return Optional.empty();
    }

    private static boolean isForgotten(Delay delay, Instant now) {
        return Duration.between(delay.since(), now).compareTo(FORGOTTEN) > 0;
    }
}
