package io.github.reconciler4j.installer;

import io.github.reconciler4j.support.Backoff;
import java.time.Duration;

/**
 * How long the installation of definitions waits. Only tests use other values than the defaults.
 *
 * @param poll the time between two looks at a definition
 * @param settle the time between a change of the storage version and the migration of objects
 * @param retry the time between two attempts to migrate objects
 */
record InstallerPace(Duration poll, Duration settle, Backoff retry) {

    /**
     * An API server ends a request after a minute. Until then a request that has begun before the definition changed may store
     * an object in the former version, and an API server may not have noticed the change yet, which takes up to five seconds.
     */
    private static final Duration SETTLE = Duration.ofSeconds(65);

    static final InstallerPace DEFAULT = new InstallerPace(
            Duration.ofMillis(200), SETTLE, Backoff.of(Duration.ofSeconds(10), Duration.ofMinutes(5)));
}
