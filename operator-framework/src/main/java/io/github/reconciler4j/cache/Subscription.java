package io.github.reconciler4j.cache;

import java.time.Duration;

/**
 * The registration of a listener with an {@link Informer}. Thread-safe.
 *
 * <!-- snippet: CacheSettings -->
 * <pre>{@code
 * try (Subscription names = cache.informer(ConfigMap.class)
 *         .subscribe("names", event -> log.accept(event.snapshot().key().name()))) {
 *     names.awaitInitial(Duration.ofMinutes(1));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Subscription extends AutoCloseable {

    /** Return whether the listener has received all objects that existed when the subscription started. */
    boolean hasDeliveredInitial();

    /**
     * Wait until {@link #hasDeliveredInitial} returns true.
     *
     * @throws CacheSyncTimeoutException after the timeout; the message says why the cache has not synced
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the subscription is closed
     */
    void awaitInitial(Duration timeout) throws InterruptedException;

    /** Return whether the listener is still called: false if the thread of the subscription has died. */
    default boolean isAlive() {
        return true;
    }

    /** End the subscription. The listener is not called after this returns. Further calls have no effect. */
    @Override
    void close();
}
