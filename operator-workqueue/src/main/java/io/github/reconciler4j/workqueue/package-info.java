/**
 * The work queue, which decides which key to process next. Independent of Kubernetes: any type with {@code equals} and
 * {@code hashCode} can be a key.
 *
 * <p>{@link io.github.reconciler4j.workqueue.WorkQueue} has the guarantees and the design. {@code add} enqueues a key,
 * {@code take} dequeues the next {@link io.github.reconciler4j.workqueue.WorkItem}, {@code done} ends its processing.
 * {@link io.github.reconciler4j.workqueue.RateLimiters} computes the delays of retries,
 * {@link io.github.reconciler4j.workqueue.PriorityAging} keeps low priorities from starving, and
 * {@link io.github.reconciler4j.workqueue.Fairness} divides workers between groups of keys.
 * {@link io.github.reconciler4j.workqueue.WorkQueueSnapshot} and
 * {@link io.github.reconciler4j.workqueue.WorkQueueMetrics} show what the queue contains and does.
 */
@NullMarked
package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.NullMarked;
