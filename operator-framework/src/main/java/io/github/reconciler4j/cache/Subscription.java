package io.github.reconciler4j.cache;

import java.time.Duration;

/**
 * A listener's place at an {@link Informer}. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Subscription extends AutoCloseable {

    /** Whether the listener has been told of everything there was when the watch began. */
    boolean hasDeliveredInitial();

    /**
     * Waits until {@link #hasDeliveredInitial}.
     *
     * @throws CacheSyncTimeoutException after the timeout; its message says what keeps the cache from syncing
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitInitial(Duration timeout) throws InterruptedException;

    /** Ends the subscription; the listener is not called any more after this returns. Further calls do nothing. */
    @Override
    void close();
}
