package io.github.reconciler4j.workqueue;

import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/**
 * What a queue tells about itself. One instance belongs to one queue and adds the labels {@code name} and
 * {@code controller}. Every method does nothing unless overridden. The queue calls it without its lock, from the
 * threads that add, take and finish; what it throws is logged once and otherwise ignored. The metrics are those of
 * client-go:
 *
 * <table>
 * <caption>Metrics</caption>
 * <tr><th>name</th><th>type</th><th>from</th></tr>
 * <tr><td>{@code workqueue_depth}</td><td>gauge, also labelled {@code priority}</td><td>{@link #depth}</td></tr>
 * <tr><td>{@code workqueue_adds_total}</td><td>counter</td><td>{@link #added}</td></tr>
 * <tr><td>{@code workqueue_retries_total}</td><td>counter</td><td>{@link #retried}</td></tr>
 * <tr><td>{@code workqueue_queue_duration_seconds}</td><td>histogram</td><td>{@link #waited}</td></tr>
 * <tr><td>{@code workqueue_work_duration_seconds}</td><td>histogram</td><td>{@link #worked}</td></tr>
 * <tr><td>{@code workqueue_unfinished_work_seconds}</td><td>gauge</td><td>{@link #unfinishedWork}</td></tr>
 * <tr><td>{@code workqueue_longest_running_processor_seconds}</td><td>gauge</td><td>{@link #longestRunning}</td></tr>
 * </table>
 *
 * The buckets of both histograms are 12 powers of ten from 1e-8 to 1e3. Suppliers may be asked at any time by any
 * thread; they take the lock of the queue for a moment.
 *
 * @since 0.1.0
 */
public interface WorkQueueMetrics {

    /** Forgets everything it is told. */
    WorkQueueMetrics NONE = new WorkQueueMetrics() {};

    /** The value of the label {@code priority} that stands for all priorities after the first 25 distinct ones. */
    String OTHER_PRIORITIES = "exceeded_cardinality_limit";

    /**
     * A priority is used for the first time.
     *
     * @param priority the value of the label: the number, or {@link #OTHER_PRIORITIES} for all beyond 25
     * @param depth the number of ready keys with this priority, asked for when somebody looks
     */
    default void depth(String priority, IntSupplier depth) {}

    /**
     * The queue exists.
     *
     * @param seconds the time the keys being processed have taken so far, summed up
     */
    default void unfinishedWork(DoubleSupplier seconds) {}

    /**
     * The queue exists.
     *
     * @param seconds the time the key that has been processed longest has taken so far, 0 if none is
     */
    default void longestRunning(DoubleSupplier seconds) {}

    /** So many keys became ready. A key that is added again while it is ready is not counted again. */
    default void added(int count) {}

    /** A key was added with a delay. */
    default void retried() {}

    /** A key was handed out after it had been ready for so long. */
    default void waited(long nanos) {}

    /** A key was finished after it had been processed for so long. */
    default void worked(long nanos) {}
}
