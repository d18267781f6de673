package io.github.reconciler4j.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says how long a key waits before it is tried again. Keeps state per key, so every queue needs a limiter of its own.
 * Safe for use by many threads; called by {@link WorkQueue} without its lock.
 *
 * @param <T> the keys, with {@code equals} and {@code hashCode}
 * @see RateLimiters
 * @since 0.1.0
 */
public interface RateLimiter<T> {

    /**
     * Counts one more failure of a key and says how long to wait before the next try.
     *
     * @param cause what went wrong, or null if that is not known
     * @return the delay; zero or less means at once
     */
    Duration next(T item, @Nullable Throwable cause);

    /** Ends the counting of failures for a key, because it succeeded, or because nobody will try it again. */
    void forget(T item);

    /** The failures of a key counted since it was last forgotten. */
    int retries(T item);
}
