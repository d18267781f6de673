package io.github.reconciler4j.workqueue;

import java.time.Duration;

/**
 * A key that was dequeued. Valid until {@link WorkQueue#done} is called for the key; do not keep it longer. For the thread
 * that took it.
 *
 * <!-- snippet: OrderWorker -->
 * <pre>{@code
 * for (WorkItem<String> work = queue.take(); work != null; work = queue.take()) {
 *     String key = work.item();
 *     try {
 *         orders.accept(key);
 *         queue.forget(key); // resets the count of failures
 *     } catch (RuntimeException e) {
 *         queue.addRateLimited(key, work.priority(), e); // the rate limiter chooses the delay
 *     } finally {
 *         queue.done(key); // always
 *     }
 * }
 * }</pre>
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
