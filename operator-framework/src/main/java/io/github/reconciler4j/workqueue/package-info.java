/**
 * The work queue: which key to work on next. Knows nothing of Kubernetes and can be used for any key with
 * {@code equals} and {@code hashCode}.
 *
 * <p>Promises:
 * <ul>
 *   <li>no key is lost, none is handed out twice at a time, none runs more often than it was asked for;
 *   <li>higher priority first, first in, first out within a priority, and low priorities are reached;
 *   <li>a delayed key costs one object and no thread; removing or moving it costs O(log n);
 *   <li>adding never waits for takers, and no foreign code but {@code equals} of keys runs under the lock.
 * </ul>
 *
 * <p>Layers, from the outside in: {@link WorkQueue} has the lock, lets takers wait and tells the metrics;
 * {@code QueueState} has the keys and knows no threads; {@code Lanes} chooses among the ready ones, {@code Delays}
 * orders the others by time.
 */
@NullMarked
package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.NullMarked;
