package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import java.time.Duration;

/**
 * The delays between the restarts of a container: the first is restarted at once, then each waits twice as long as the one before.
 *
 * @param initial the delay before the second restart
 * @param max the longest delay; a container that has run twice as long starts with the first delay
 */
public record RestartBackoff(Duration initial, Duration max) {

    /** The delays of a kubelet. */
    public static final RestartBackoff KUBELET = new RestartBackoff(Duration.ofSeconds(10), Duration.ofMinutes(5));

    private static final int MAX_DOUBLINGS = 30;

    /**
     * Return the delay between the end of a container and its next start.
     *
     * @param restarts how often it has been restarted
     * @param ran how long it has run
     */
    Duration after(int restarts, Duration ran) {
        if (restarts == 0 || ran.compareTo(max.multipliedBy(2)) >= 0) {
            return Duration.ZERO;
        }
        Duration delay = initial.multipliedBy(1L << Math.min(restarts - 1, MAX_DOUBLINGS));
        return delay.compareTo(max) > 0 ? max : delay;
    }
}
