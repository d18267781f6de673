package io.github.reconciler4j.workqueue;

import java.time.Duration;

/**
 * A key that was handed out. What it says holds until {@link WorkQueue#done} is called for the key; do not keep it
 * longer. For use by the thread that took it.
 *
 * @param <T> the keys
 * @since 0.1.0
 */
public interface WorkItem<T> {

    /** The key. */
    T item();

    /** The priority it was handed out with. */
    int priority();

    /** How long it had been waiting, from when it was ready until it was handed out. */
    Duration waited();
}
