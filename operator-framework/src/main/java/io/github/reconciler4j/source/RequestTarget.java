package io.github.reconciler4j.source;

import io.github.reconciler4j.reconcile.Trigger;
import java.time.Duration;

/**
 * Where a source puts its requests: the queue of one controller. Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public interface RequestTarget<R> {

    /** Names the taker in logs and metrics, for instance {@code webapp}. */
    String name();

    /**
     * Adds a request, or merges it with an equal one that is waiting: the higher priority and the earlier time count.
     * Never blocks, never fails; ignored once the source has been closed.
     *
     * @param delay how long until the request is due; zero or less is at once
     * @param priority higher runs first; changes have 0, the initial list and resyncs -100
     * @param trigger why; shown to the reconciler
     */
    void add(R request, Duration delay, int priority, Trigger trigger);
}
