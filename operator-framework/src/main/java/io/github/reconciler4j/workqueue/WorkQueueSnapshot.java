package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a queue looked like at one moment. Immutable.
 *
 * @param name the name of the queue
 * @param depth the number of ready keys by priority, highest first; keys added again while being processed count
 * @param running the number of keys being processed
 * @param delayed the number of keys that wait for a point in time, those in backoff included
 * @param backoff the number of keys that wait because of the rate limiter
 * @param oldestWaiting of the keys that are next in their priority and group, the one that has been ready longest
 * @param longestRunning the key that has been processed longest
 * @param inBackoff the keys that wait because of the rate limiter, the next one first; at most as many as were asked
 *     for
 * @param shuttingDown whether the queue takes no more keys
 * @param <T> the keys
 * @since 0.1.0
 */
public record WorkQueueSnapshot<T>(
        String name,
        SortedMap<Integer, Integer> depth,
        int running,
        int delayed,
        int backoff,
        Optional<Waiting<T>> oldestWaiting,
        Optional<Running<T>> longestRunning,
        List<Backoff<T>> inBackoff,
        boolean shuttingDown) {

    /**
     * A key that is ready.
     *
     * @param waited since when it is ready
     * @since 0.1.0
     */
    public record Waiting<T>(T item, int priority, Duration waited) {}

    /**
     * A key that is being processed.
     *
     * @param running since when it was handed out
     * @since 0.1.0
     */
    public record Running<T>(T item, int priority, Duration running) {}

    /**
     * A key that failed and waits for its next try.
     *
     * @param retries the failures counted by the rate limiter
     * @param next the time until the next try, zero if it is due
     * @since 0.1.0
     */
    public record Backoff<T>(T item, int priority, int retries, Duration next) {}
}
