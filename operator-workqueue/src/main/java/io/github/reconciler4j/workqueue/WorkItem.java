package io.github.reconciler4j.workqueue;

import java.time.Duration;

/**
 * A key that was dequeued. Valid until {@link WorkQueue#done} is called for the key; do not keep it longer. For the thread
 * that took it.
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public interface WorkItem<T> {

    /** Return the key. */
    T item();

    /** Return the priority that it was dequeued with. */
    int priority();

    /** Return how long it was ready before it was dequeued. */
    Duration waited();
}
