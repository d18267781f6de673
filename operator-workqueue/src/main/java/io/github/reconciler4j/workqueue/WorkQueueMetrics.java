package io.github.reconciler4j.workqueue;

import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/**
 * Receives the metrics of one queue and adds the labels {@code name} and {@code controller}. Every method does nothing
 * unless it is overridden. The queue calls it without its lock, on the threads that add, take and finish keys; the first
 * exception is logged, all are ignored. Must be thread-safe. The metrics are those of client-go:
 *
 * <table>
 * <caption>Metrics</caption>
 * <tr><th>name</th><th>type</th><th>from</th></tr>
 * <tr><td>{@code workqueue_depth}</td><td>gauge, also labeled {@code priority}</td><td>{@link #depth}</td></tr>
 * <tr><td>{@code workqueue_adds_total}</td><td>counter</td><td>{@link #added}</td></tr>
 * <tr><td>{@code workqueue_retries_total}</td><td>counter</td><td>{@link #retried}</td></tr>
 * <tr><td>{@code workqueue_queue_duration_seconds}</td><td>histogram</td><td>{@link #waited}</td></tr>
 * <tr><td>{@code workqueue_work_duration_seconds}</td><td>histogram</td><td>{@link #worked}</td></tr>
 * <tr><td>{@code workqueue_unfinished_work_seconds}</td><td>gauge</td><td>{@link #unfinishedWork}</td></tr>
 * <tr><td>{@code workqueue_longest_running_processor_seconds}</td><td>gauge</td><td>{@link #longestRunning}</td></tr>
 * </table>
 *
 * The buckets of both histograms are 12 powers of ten from 1e-8 to 1e3. Suppliers can be called at any time by any thread;
 * they take the lock of the queue for a moment.
 *
 * <!-- snippet: QueueUse -->
 * <pre>{@code
 * record Retries(AtomicLong count) implements WorkQueueMetrics {
 *
 *     @Override
 *     public void retried() {
 *         count.incrementAndGet();
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface WorkQueueMetrics {

    /** Ignores all metrics. */
    WorkQueueMetrics NONE = new WorkQueueMetrics() {};

    /** The value of the label {@code priority} for all priorities after the first 25 distinct ones. */
    String OTHER_PRIORITIES = "exceeded_cardinality_limit";

    /**
     * Register the depth of a priority, when it is used for the first time.
     *
     * @param priority the value of the label: the number, or {@link #OTHER_PRIORITIES} for all after the first 25
     * @param depth returns the number of ready keys with this priority
     */
    default void depth(String priority, IntSupplier depth) {}

    /**
     * Register how long the keys being processed have taken so far, in total, when the queue is created.
     *
     * @param seconds returns the time
     */
    default void unfinishedWork(DoubleSupplier seconds) {}

    /**
     * Register how long the oldest key being processed has taken so far, 0 without one, when the queue is created.
     *
     * @param seconds returns the time
     */
    default void longestRunning(DoubleSupplier seconds) {}

    /** Count keys that became ready. A key that is added again while it is ready is not counted again. */
    default void added(int count) {}

    /** Count a key that was added with a delay, or because it failed. */
    default void retried() {}

    /** Record how long a dequeued key was ready. */
    default void waited(long nanos) {}

    /** Record how long a finished key was processed. */
    default void worked(long nanos) {}
}
