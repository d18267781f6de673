package io.github.reconciler4j.controller;

import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.workqueue.Fairness;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Settings of one controller. Immutable; share freely.
 *
 * @param maxConcurrentReconciles workers taking from the queue, at least 1 (default 1); one request never runs twice at
 *     the same time
 * @param virtualThreads whether workers are virtual threads where the JVM has them (default false)
 * @param cacheSyncTimeout how long start waits for all sources together (default 2 minutes); positive
 * @param runs how long runs may take, and what becomes of those that go wrong
 * @param queue changes the settings of the queue, called at each start as limiters keep state (default changes nothing)
 * @param placement on which replicas it works (default on the leader)
 * @since 0.1.0
 */
public record ControllerOptions(
        int maxConcurrentReconciles,
        boolean virtualThreads,
        Duration cacheSyncTimeout,
        RunOptions runs,
        UnaryOperator<WorkQueueOptions<Object>> queue,
        Placement placement) {

    /** The default of {@code cacheSyncTimeout}. */
    public static final Duration DEFAULT_CACHE_SYNC_TIMEOUT = Duration.ofMinutes(2);

    private static final Fairness<Object> FAIR = Fairness.between(ControllerOptions::namespaceOf);

    private static final ControllerOptions DEFAULTS = new ControllerOptions(
            1, false, DEFAULT_CACHE_SYNC_TIMEOUT, RunOptions.defaults(), UnaryOperator.identity(), Placement.leader());

    /** Checks the values. */
    public ControllerOptions {
        if (maxConcurrentReconciles < 1) {
            throw new IllegalArgumentException(
                    "'maxConcurrentReconciles' must be at least 1, was " + maxConcurrentReconciles);
        }
        if (cacheSyncTimeout.isNegative() || cacheSyncTimeout.isZero()) {
            throw new IllegalArgumentException("'cacheSyncTimeout' must be positive, was " + cacheSyncTimeout);
        }
        Objects.requireNonNull(runs, "'runs' must not be null");
        Objects.requireNonNull(queue, "'queue' must not be null");
        Objects.requireNonNull(placement, "'placement' must not be null");
    }

    /** The defaults. */
    public static ControllerOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another number of workers. */
    public ControllerOptions withMaxConcurrentReconciles(int workers) {
        return new ControllerOptions(workers, virtualThreads, cacheSyncTimeout, runs, queue, placement);
    }

    /** The same with virtual or platform threads. */
    public ControllerOptions withVirtualThreads(boolean virtual) {
        return new ControllerOptions(maxConcurrentReconciles, virtual, cacheSyncTimeout, runs, queue, placement);
    }

    /** The same with another time limit for start. */
    public ControllerOptions withCacheSyncTimeout(Duration timeout) {
        return new ControllerOptions(maxConcurrentReconciles, virtualThreads, timeout, runs, queue, placement);
    }

    /** The same with other rules for runs. */
    public ControllerOptions withRuns(RunOptions newRuns) {
        return new ControllerOptions(
                maxConcurrentReconciles, virtualThreads, cacheSyncTimeout, newRuns, queue, placement);
    }

    /** The same with another time limit for one run. */
    public ControllerOptions withReconcileTimeout(Duration timeout) {
        return withRuns(runs.withTimeout(timeout));
    }

    /** The same with another time after which a run is reported as stuck. */
    public ControllerOptions withStuckAfter(Duration time) {
        return withRuns(runs.withStuckAfter(time));
    }

    /** The same with another wait for interrupted runs at stop. */
    public ControllerOptions withInterruptTimeout(Duration time) {
        return withRuns(runs.withInterruptTimeout(time));
    }

    /** The same with or without errors being fatal. */
    public ControllerOptions withFatalErrors(boolean fatal) {
        return withRuns(runs.withFatalErrors(fatal));
    }

    /** The same with one more change of the queue's settings, made after those before. */
    public ControllerOptions withQueue(UnaryOperator<WorkQueueOptions<Object>> change) {
        UnaryOperator<WorkQueueOptions<Object>> before = queue;
        return new ControllerOptions(
                maxConcurrentReconciles,
                virtualThreads,
                cacheSyncTimeout,
                runs,
                settings -> change.apply(before.apply(settings)),
                placement);
    }

    /** The same with limiters made by a supplier, which is asked at each start, as limiters keep state. */
    public ControllerOptions withRateLimiter(Supplier<RateLimiter<Object>> limiter) {
        return withQueue(settings -> settings.withRateLimiter(limiter.get()));
    }

    /**
     * The same with the workers divided evenly between namespaces, so that one full of work does not delay the others.
     *
     * @param maxRunning the most requests of one namespace worked on at a time, at least 1
     */
    public ControllerOptions withFairNamespaces(int maxRunning) {
        return withFairness(fairness -> fairness.withMaxRunning(maxRunning));
    }

    /**
     * The same with the workers divided evenly between namespaces, none of which may have more than a share of them, also
     * after their number has changed.
     *
     * @param share the part of the workers, rounded up; above 0 and at most 1
     */
    public ControllerOptions withNamespaceShare(double share) {
        return withFairness(fairness -> fairness.withShare(share));
    }

    /** Changes the limits there are, or none; wrong values are told at once. */
    private ControllerOptions withFairness(UnaryOperator<Fairness<Object>> limit) {
        Objects.requireNonNull(limit.apply(FAIR));
        return withQueue(settings -> {
            Fairness<Object> before = settings.fairness().orElse(FAIR);
            Fairness<Object> fair = new Fairness<>(FAIR.group(), before.maxRunning(), before.share());
            return settings.withFairness(limit.apply(fair));
        });
    }

    private static Object namespaceOf(Object request) {
        return request instanceof Request named ? named.namespace() : request;
    }

    /** The same on other replicas. */
    public ControllerOptions withPlacement(Placement newPlacement) {
        return new ControllerOptions(
                maxConcurrentReconciles, virtualThreads, cacheSyncTimeout, runs, queue, newPlacement);
    }
}
