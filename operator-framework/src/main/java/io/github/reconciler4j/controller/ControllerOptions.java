package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.ApiRateLimits;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.Fairness;
import io.github.reconciler4j.workqueue.PriorityAging;
import io.github.reconciler4j.workqueue.RateLimiter;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one controller. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class ControllerOptions {

    /** The default of {@link #cacheSyncTimeout}. */
    public static final Duration DEFAULT_CACHE_SYNC_TIMEOUT = Duration.ofMinutes(2);

    /** The default of {@link #stuckAfter}. */
    public static final Duration DEFAULT_STUCK_AFTER = Duration.ofMinutes(5);

    /** The default of {@link #interruptTimeout}. */
    public static final Duration DEFAULT_INTERRUPT_TIMEOUT = Duration.ofSeconds(5);

    private static final Fairness<Object> BY_NAMESPACE = Fairness.between(ControllerOptions::namespaceOf);

    private static final ControllerOptions DEFAULTS = new ControllerOptions(new Draft());

    private final int maxConcurrentReconciles;
    private final boolean virtualThreads;
    private final Duration cacheSyncTimeout;
    private final Duration reconcileTimeout;
    private final Duration stuckAfter;
    private final Duration interruptTimeout;
    private final boolean fatalErrors;
    private final Supplier<? extends RateLimiter<Object>> rateLimiter;
    private final PriorityAging priorityAging;
    private final @Nullable Fairness<Object> fairness;
    private final Placement placement;
    private final ReconcileObserver observer;
    private final TimeSource timeSource;
    private final String cluster;

    private ControllerOptions(Draft draft) {
        maxConcurrentReconciles = draft.maxConcurrentReconciles;
        virtualThreads = draft.virtualThreads;
        cacheSyncTimeout = positive(draft.cacheSyncTimeout, "cacheSyncTimeout");
        reconcileTimeout = notNegative(draft.reconcileTimeout, "reconcileTimeout");
        stuckAfter = positive(draft.stuckAfter, "stuckAfter");
        interruptTimeout = notNegative(draft.interruptTimeout, "interruptTimeout");
        fatalErrors = draft.fatalErrors;
        rateLimiter = Objects.requireNonNull(draft.rateLimiter, "'rateLimiter' must not be null");
        priorityAging = Objects.requireNonNull(draft.priorityAging, "'priorityAging' must not be null");
        fairness = draft.fairness;
        placement = Objects.requireNonNull(draft.placement, "'placement' must not be null");
        observer = Objects.requireNonNull(draft.observer, "'observer' must not be null");
        timeSource = Objects.requireNonNull(draft.timeSource, "'timeSource' must not be null");
        cluster = draft.cluster;
        if (maxConcurrentReconciles < 1) {
            throw new IllegalArgumentException(
                    "'maxConcurrentReconciles' must be at least 1, was " + maxConcurrentReconciles);
        }
    }

    /** Return the defaults. */
    public static ControllerOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return the number of workers, at least 1 (default 1). A request is never reconciled by two of them at the same
     * time.
     */
    public int maxConcurrentReconciles() {
        return maxConcurrentReconciles;
    }

    /** Return whether workers are virtual threads if the JVM has them (default false). */
    public boolean virtualThreads() {
        return virtualThreads;
    }

    /** Return how long a start waits for all sources together (default 2 minutes). */
    public Duration cacheSyncTimeout() {
        return cacheSyncTimeout;
    }

    /** Return how long one reconciliation can take before its thread is interrupted; zero, the default, for no limit. */
    public Duration reconcileTimeout() {
        return reconcileTimeout;
    }

    /**
     * Return how long a reconciliation can take, beyond {@link #reconcileTimeout} if there is one, before it is reported as
     * stuck with its stack trace (default 5 minutes). Until it returns, the controller counts as not alive, or as not available
     * if the request is for another cluster.
     */
    public Duration stuckAfter() {
        return stuckAfter;
    }

    /** Return how long a stop waits for interrupted reconciliations before it abandons their threads (default 5 s). */
    public Duration interruptTimeout() {
        return interruptTimeout;
    }

    /**
     * Return whether any {@link Error} of a reconciliation makes health report that the process must be restarted. By
     * default, only errors of the JVM such as an {@link OutOfMemoryError} do, except a {@link StackOverflowError}. The
     * reconciliation is counted and retried either way.
     */
    public boolean fatalErrors() {
        return fatalErrors;
    }

    /** Return the factory of rate limiters, called at each start. */
    public Supplier<? extends RateLimiter<Object>> rateLimiter() {
        return rateLimiter;
    }

    /** Return how the queue reaches low priorities (default {@link PriorityAging#defaults}). */
    public PriorityAging priorityAging() {
        return priorityAging;
    }

    /** Return how workers are divided between groups of requests; empty, the default, if they are not divided. */
    public Optional<Fairness<Object>> fairness() {
        return Optional.ofNullable(fairness);
    }

    /** Return the replicas that the controller runs on (default {@link Placement#leader}). */
    public Placement placement() {
        return placement;
    }

    /** Return what observes the reconciliations (default {@link ReconcileObserver#NONE}). */
    public ReconcileObserver observer() {
        return observer;
    }

    /** Return the clock of the work queue and of limits of the log (default {@link TimeSource#system}). */
    public TimeSource timeSource() {
        return timeSource;
    }

    /** Return a copy of these options with the given number of workers, at least 1. */
    public ControllerOptions withMaxConcurrentReconciles(int workers) {
        return change(draft -> draft.maxConcurrentReconciles = workers);
    }

    /** Return a copy of these options with virtual or platform threads as workers. */
    public ControllerOptions withVirtualThreads(boolean virtual) {
        return change(draft -> draft.virtualThreads = virtual);
    }

    /** Return a copy of these options with the given time limit for a start; positive. */
    public ControllerOptions withCacheSyncTimeout(Duration timeout) {
        return change(draft -> draft.cacheSyncTimeout = timeout);
    }

    /** Return a copy of these options with the given time limit for one reconciliation; zero for no limit. */
    public ControllerOptions withReconcileTimeout(Duration timeout) {
        return change(draft -> draft.reconcileTimeout = timeout);
    }

    /** Return a copy of these options with the given time after which a reconciliation is reported as stuck; positive. */
    public ControllerOptions withStuckAfter(Duration time) {
        return change(draft -> draft.stuckAfter = time);
    }

    /** Return a copy of these options with the given wait for interrupted reconciliations at stop; not negative. */
    public ControllerOptions withInterruptTimeout(Duration timeout) {
        return change(draft -> draft.interruptTimeout = timeout);
    }

    /** Return a copy of these options that treats any {@link Error} as fatal, or only those of the JVM. */
    public ControllerOptions withFatalErrors(boolean fatal) {
        return change(draft -> draft.fatalErrors = fatal);
    }

    /**
     * Return a copy of these options with the given delays of failing requests. The delay doubles with each failure in a
     * row, and is up to 20 % shorter at random. A conflict waits at most 5 seconds, an exceeded quota at least 5 seconds,
     * and a {@code Retry-After} of the API server is obeyed. Replaces {@link #withRateLimiter}.
     *
     * @param initial the first delay (default 5 ms); positive
     * @param max the longest delay (default 1000 s); not less than {@code initial}
     */
    public ControllerOptions withBackoff(Duration initial, Duration max) {
        positive(initial, "initial");
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("'max' must not be less than 'initial' (" + initial + "), was " + max);
        }
        return withRateLimiter(() -> ApiRateLimits.backoff(initial, max));
    }

    /**
     * Return a copy of these options with the given rate limiters. Replaces {@link #withBackoff}.
     *
     * @param limiter returns a new rate limiter; called at each start, because limiters keep state
     */
    public ControllerOptions withRateLimiter(Supplier<? extends RateLimiter<Object>> limiter) {
        return change(draft -> draft.rateLimiter = limiter);
    }

    /** Return a copy of these options with the given aging of low priorities. */
    public ControllerOptions withPriorityAging(PriorityAging aging) {
        return change(draft -> draft.priorityAging = aging);
    }

    /** Return a copy of these options with workers divided between groups of requests. */
    public ControllerOptions withFairness(Fairness<Object> newFairness) {
        Objects.requireNonNull(newFairness, "'fairness' must not be null");
        return change(draft -> draft.fairness = newFairness);
    }

    /**
     * Return a copy of these options with workers divided evenly between namespaces, so that a namespace with many requests
     * does not delay the others. Keeps the limit of {@link #withNamespaceShare}.
     *
     * @param maxRunning how many requests of one namespace can be reconciled at the same time, at least 1
     */
    public ControllerOptions withFairNamespaces(int maxRunning) {
        Fairness<Object> before = byNamespace();
        return withFairness(before.withMaxRunning(maxRunning));
    }

    /**
     * Return a copy of these options with workers divided evenly between namespaces, of which one can occupy only a share.
     * The share follows the number of workers. Keeps the limit of {@link #withFairNamespaces}.
     *
     * @param share the part of the workers, rounded up; above 0 and at most 1
     */
    public ControllerOptions withNamespaceShare(double share) {
        return withFairness(byNamespace().withShare(share));
    }

    /** Return a copy of these options with the given replicas to run on. */
    public ControllerOptions withPlacement(Placement newPlacement) {
        return change(draft -> draft.placement = newPlacement);
    }

    /** Return a copy of these options with the given observer of reconciliations, instead of the current one. */
    public ControllerOptions withObserver(ReconcileObserver newObserver) {
        return change(draft -> draft.observer = newObserver);
    }

    /** Return a copy of these options with the given clock; see {@link #timeSource}. */
    public ControllerOptions withTimeSource(TimeSource newTimeSource) {
        return change(draft -> draft.timeSource = newTimeSource);
    }

    private Fairness<Object> byNamespace() {
        return fairness != null && fairness.group() == BY_NAMESPACE.group() ? fairness : BY_NAMESPACE;
    }

    private static Object namespaceOf(Object request) {
        return request instanceof Request named ? named.namespace() : request;
    }

    private static Duration positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    private static Duration notNegative(Duration value, String name) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must not be negative, was " + value);
        }
        return value;
    }

    /**
     * Return the name of the cluster that the controller works for; {@code ""} by default, for that of the manager. A controller
     * builder sets it.
     */
    public String cluster() {
        return cluster;
    }

    /**
     * Return a copy of these options for a controller that works for the cluster with the given name. Its start waits for the
     * sources of this cluster, its metrics have the label {@code cluster}, and it is removed when the cluster leaves.
     */
    public ControllerOptions withCluster(String newCluster) {
        return change(draft -> draft.cluster = Objects.requireNonNull(newCluster, "'cluster' must not be null"));
    }

    private ControllerOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.maxConcurrentReconciles = maxConcurrentReconciles;
        draft.virtualThreads = virtualThreads;
        draft.cacheSyncTimeout = cacheSyncTimeout;
        draft.reconcileTimeout = reconcileTimeout;
        draft.stuckAfter = stuckAfter;
        draft.interruptTimeout = interruptTimeout;
        draft.fatalErrors = fatalErrors;
        draft.rateLimiter = rateLimiter;
        draft.priorityAging = priorityAging;
        draft.fairness = fairness;
        draft.placement = placement;
        draft.observer = observer;
        draft.timeSource = timeSource;
        draft.cluster = cluster;
        change.accept(draft);
        return new ControllerOptions(draft);
    }

    @Override
    public String toString() {
        return "ControllerOptions[maxConcurrentReconciles=" + maxConcurrentReconciles
                + ", virtualThreads=" + virtualThreads
                + ", cacheSyncTimeout=" + cacheSyncTimeout
                + ", reconcileTimeout=" + reconcileTimeout
                + ", stuckAfter=" + stuckAfter
                + ", interruptTimeout=" + interruptTimeout
                + ", fatalErrors=" + fatalErrors
                + ", priorityAging=" + priorityAging
                + ", fairness=" + fairness
                + ", placement=" + placement + "]";
    }

    private static final class Draft {
        private int maxConcurrentReconciles = 1;
        private boolean virtualThreads;
        private Duration cacheSyncTimeout = DEFAULT_CACHE_SYNC_TIMEOUT;
        private Duration reconcileTimeout = Duration.ZERO;
        private Duration stuckAfter = DEFAULT_STUCK_AFTER;
        private Duration interruptTimeout = DEFAULT_INTERRUPT_TIMEOUT;
        private boolean fatalErrors;
        private Supplier<? extends RateLimiter<Object>> rateLimiter = ApiRateLimits::defaults;
        private PriorityAging priorityAging = PriorityAging.defaults();
        private @Nullable Fairness<Object> fairness;
        private Placement placement = Placement.leader();
        private ReconcileObserver observer = ReconcileObserver.NONE;
        private TimeSource timeSource = TimeSource.system();
        private String cluster = "";
    }
}
