package io.github.reconciler4j.controller;

import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.controller.internal.ApiRateLimits;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.DnsNames;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.Durations;
import io.github.reconciler4j.support.internal.OptionValues;
import io.github.reconciler4j.workqueue.Fairness;
import io.github.reconciler4j.workqueue.PriorityAging;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one controller. The methods throw {@link IllegalArgumentException} for values that their descriptions exclude.
 * Immutable and thread-safe.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * return ControllerOptions.defaults()
 *         .withMaxConcurrentReconciles(8)
 *         .withReconcileTimeout(Duration.ofMinutes(1))
 *         .withBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
 * }</pre>
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

    /** The default of {@link #pauseAnnotation}. */
    public static final String DEFAULT_PAUSE_ANNOTATION = "reconciler4j.io/paused";

    private static final Pattern ANNOTATION =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private static final Fairness<Object> BY_NAMESPACE = Fairness.between(ControllerOptions::namespaceOf);

    private static final ControllerOptions DEFAULTS = new ControllerOptions(new Values());

    private final Values values;

    private ControllerOptions(Values values) {
        this.values = values;
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
        return values.maxConcurrentReconciles;
    }

    /** Return whether workers are virtual threads if the JVM has them (default false). */
    public boolean virtualThreads() {
        return values.virtualThreads;
    }

    /** Return how long a start waits for all sources together (default 2 minutes). */
    public Duration cacheSyncTimeout() {
        return values.cacheSyncTimeout;
    }

    /** Return how long one reconciliation can take before its thread is interrupted; zero, the default, for no limit. */
    public Duration reconcileTimeout() {
        return values.reconcileTimeout;
    }

    /**
     * Return how long a reconciliation can take, beyond {@link #reconcileTimeout} if there is one, before it is reported as
     * stuck with its stack trace (default 5 minutes). Until it returns, the controller counts as not alive, or as not available
     * if the request is for another cluster.
     */
    public Duration stuckAfter() {
        return values.stuckAfter;
    }

    /** Return how long a stop waits for interrupted reconciliations before it abandons their threads (default 5 s). */
    public Duration interruptTimeout() {
        return values.interruptTimeout;
    }

    /**
     * Return whether any {@link Error} of a reconciliation makes health report that the process must be restarted. By
     * default, only errors of the JVM such as an {@link OutOfMemoryError} do, except a {@link StackOverflowError}. The
     * reconciliation is counted and retried either way.
     */
    public boolean fatalErrors() {
        return values.fatalErrors;
    }

    /**
     * Return the shortest time between the starts of two reconciliations of one request; zero, the default, for no limit. See
     * {@link #withMinInterval}.
     */
    public Duration minInterval() {
        return values.minInterval;
    }

    /** Return after how many failures in a row a request is not retried any more; 0, the default, for no limit. */
    public int maxAttempts() {
        return values.maxAttempts;
    }

    /** Return the name of the annotation that pauses an object (default {@value #DEFAULT_PAUSE_ANNOTATION}). */
    public String pauseAnnotation() {
        return values.pauseAnnotation;
    }

    /** Return the first delay of a failing request, unless {@link #withRateLimiter} replaced it (default 5 ms). */
    public Duration initialBackoff() {
        return values.initialBackoff;
    }

    /** Return the longest delay of a failing request, unless {@link #withRateLimiter} replaced it (default 1000 s). */
    public Duration maxBackoff() {
        return values.maxBackoff;
    }

    /** Return the factory of rate limiters, called at each start. */
    public Supplier<? extends RateLimiter<Object>> rateLimiter() {
        return values.rateLimiter;
    }

    /** Return how the queue reaches low priorities (default {@link PriorityAging#defaults}). */
    public PriorityAging priorityAging() {
        return values.priorityAging;
    }

    /** Return how workers are divided between groups of requests; empty, the default, if they are not divided. */
    public Optional<Fairness<Object>> fairness() {
        return Optional.ofNullable(values.fairness);
    }

    /** Return the replicas that the controller runs on (default {@link Placement#leader}). */
    public Placement placement() {
        return values.placement;
    }

    /** Return what observes the reconciliations (default {@link ReconcileObserver#NONE}). */
    public ReconcileObserver observer() {
        return values.observer;
    }

    /** Return the field manager of the writes of this controller; empty, the default, for the name of the controller. */
    public Optional<String> fieldManager() {
        return values.fieldManager;
    }

    /**
     * Return the service account that writes for this controller, {@code ""} (the default) for that of the operator. The options
     * of a controller that has been built have its namespace, too.
     */
    public String serviceAccount() {
        return values.serviceAccount;
    }

    /** Return the clock of the work queue and of limits of the log (default {@link TimeSource#system}). */
    public TimeSource timeSource() {
        return values.timeSource;
    }

    /** Return a copy of these options with the given number of workers, at least 1. */
    public ControllerOptions withMaxConcurrentReconciles(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("'maxConcurrentReconciles' must be at least 1, was " + workers);
        }
        return change(copy -> copy.maxConcurrentReconciles = workers);
    }

    /** Return a copy of these options with virtual or platform threads as workers. */
    public ControllerOptions withVirtualThreads(boolean virtual) {
        return change(copy -> copy.virtualThreads = virtual);
    }

    /** Return a copy of these options with the given time limit for a start; positive. */
    public ControllerOptions withCacheSyncTimeout(Duration timeout) {
        return change(copy -> copy.cacheSyncTimeout = Durations.positive(timeout, "cacheSyncTimeout"));
    }

    /** Return a copy of these options with the given time limit for one reconciliation; zero for no limit. */
    public ControllerOptions withReconcileTimeout(Duration timeout) {
        return change(copy -> copy.reconcileTimeout = Durations.notNegative(timeout, "reconcileTimeout"));
    }

    /** Return a copy of these options with the given time after which a reconciliation is reported as stuck; positive. */
    public ControllerOptions withStuckAfter(Duration time) {
        return change(copy -> copy.stuckAfter = Durations.positive(time, "stuckAfter"));
    }

    /** Return a copy of these options with the given wait for interrupted reconciliations at stop; not negative. */
    public ControllerOptions withInterruptTimeout(Duration timeout) {
        return change(copy -> copy.interruptTimeout = Durations.notNegative(timeout, "interruptTimeout"));
    }

    /** Return a copy of these options that treats any {@link Error} as fatal, or only those of the JVM. */
    public ControllerOptions withFatalErrors(boolean fatal) {
        return change(copy -> copy.fatalErrors = fatal);
    }

    /**
     * Return a copy of these options with the given shortest time between the starts of two reconciliations of one request.
     * Changes, retries and resyncs that come earlier wait and lead to one reconciliation together, which sees the last state. A
     * reconciliation that takes longer is followed at once. The times are forgotten when the controller stops.
     *
     * @param interval zero for no limit; not negative
     * @throws IllegalArgumentException if it is negative
     */
    public ControllerOptions withMinInterval(Duration interval) {
        return change(copy -> copy.minInterval = Durations.notNegative(interval, "minInterval"));
    }

    /**
     * Return a copy of these options with the given limit of failures in a row. A request that reaches it is not retried until
     * something changes; then it has as many attempts again. Its object gets the condition {@code Stalled} if its status has
     * conditions, and a warning event. Failures that no change of the object can end do not count: the API server is away or
     * overloaded, another writer was first, or the lease was lost.
     *
     * @param attempts at least 1, or 0 for no limit
     * @throws IllegalArgumentException if it is negative
     */
    public ControllerOptions withMaxAttempts(int attempts) {
        if (attempts < 0) {
            throw new IllegalArgumentException("'maxAttempts' must not be negative, was " + attempts);
        }
        return change(copy -> copy.maxAttempts = attempts);
    }

    /**
     * Return a copy of these options with the given name of the annotation that pauses an object of the primary kind. An object
     * with the value {@code true} is not reconciled and not cleaned up; with a time such as {@code 2030-01-31T08:00:00Z}, not
     * before that time.
     *
     * @throws IllegalArgumentException if it is not the name of an annotation
     */
    public ControllerOptions withPauseAnnotation(String name) {
        if (!ANNOTATION.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'pauseAnnotation' must be the name of an annotation, such as example.com/paused, was '" + name
                            + "'");
        }
        return change(copy -> copy.pauseAnnotation = name);
    }

    /**
     * Return a copy of these options with the given delays of failing requests. The delay doubles with each failure in a
     * row, and is up to 20 % shorter at random. A conflict waits at most 5 seconds, an exceeded quota at least 5 seconds,
     * and a {@code Retry-After} of the API server is obeyed. Replaces {@link #withRateLimiter}.
     *
     * @param initial the first delay (default 5 ms); positive
     * @param max the longest delay (default 1000 s); not less than {@code initial}
     * @throws IllegalArgumentException if {@code initial} is not positive, or {@code max} is less than {@code initial}
     */
    public ControllerOptions withBackoff(Duration initial, Duration max) {
        Durations.positive(initial, "initial");
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("'max' must not be less than 'initial' (" + initial + "), was " + max);
        }
        return change(copy -> {
            copy.initialBackoff = initial;
            copy.maxBackoff = max;
            copy.rateLimiter = () -> ApiRateLimits.backoff(initial, max);
        });
    }

    /**
     * Return a copy of these options with the given rate limiters. Replaces {@link #withBackoff}.
     *
     * @param limiter returns a new rate limiter; called at each start, because limiters keep state
     */
    public ControllerOptions withRateLimiter(Supplier<? extends RateLimiter<Object>> limiter) {
        return change(copy -> copy.rateLimiter = Objects.requireNonNull(limiter, "'rateLimiter' must not be null"));
    }

    /** Return a copy of these options with the given aging of low priorities. */
    public ControllerOptions withPriorityAging(PriorityAging aging) {
        return change(copy -> copy.priorityAging = Objects.requireNonNull(aging, "'priorityAging' must not be null"));
    }

    /** Return a copy of these options with workers divided between groups of requests. */
    public ControllerOptions withFairness(Fairness<Object> newFairness) {
        return change(copy -> copy.fairness = Objects.requireNonNull(newFairness, "'fairness' must not be null"));
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
        return change(copy -> copy.placement = Objects.requireNonNull(newPlacement, "'placement' must not be null"));
    }

    /** Return a copy of these options with the given observer of reconciliations, instead of the current one. */
    public ControllerOptions withObserver(ReconcileObserver newObserver) {
        return change(copy -> copy.observer = Objects.requireNonNull(newObserver, "'observer' must not be null"));
    }

    /**
     * Return a copy of these options with the given field manager of writes. Set it to the old name when you rename a
     * controller that applies objects: otherwise the old name keeps owning the fields, and no apply removes them anymore.
     * Two controllers that apply the same objects need different field managers.
     *
     * @throws IllegalArgumentException if the name does not have 1 to 128 characters
     */
    public ControllerOptions withFieldManager(String name) {
        Optional<String> checked =
                WriteOptions.defaults().withFieldManager(name).fieldManager();
        return change(copy -> copy.fieldManager = checked);
    }

    /**
     * Return a copy of these options with the given service account. The operator impersonates it for all writes and events of this
     * controller, so that the API server grants them only the rights of the account. Watches and reads stay those of the operator.
     *
     * @param account a name in the namespace of the operator, or {@code namespace/name}; {@code ""} for the account of the operator
     * @throws IllegalArgumentException if no service account can have this name
     */
    public ControllerOptions withServiceAccount(String account) {
        String checked = account.isEmpty() ? "" : DnsNames.checkQualified("serviceAccount", account);
        return change(copy -> copy.serviceAccount = checked);
    }

    /** Return a copy of these options with the given clock; see {@link #timeSource}. */
    public ControllerOptions withTimeSource(TimeSource newTimeSource) {
        return change(copy -> copy.timeSource = Objects.requireNonNull(newTimeSource, "'timeSource' must not be null"));
    }

    private Fairness<Object> byNamespace() {
        return fairness().filter(its -> its.group() == BY_NAMESPACE.group()).orElse(BY_NAMESPACE);
    }

    private static Object namespaceOf(Object request) {
        return request instanceof Request named ? named.namespace() : request;
    }

    /** Return the name of the cluster that the controller works for; {@code ""}, the default, for that of the manager. */
    public String cluster() {
        return values.cluster;
    }

    /**
     * Return a copy of these options for a controller that works for the cluster with the given name. Its start waits for the
     * sources of this cluster, its metrics have the label {@code cluster}, and it is removed when the cluster leaves.
     */
    public ControllerOptions withCluster(String newCluster) {
        return change(copy -> copy.cluster = Objects.requireNonNull(newCluster, "'cluster' must not be null"));
    }

    /** Return the kinds that object sets delete although they do not contain them any more; none by default. */
    public Set<KindName> prunedKinds() {
        return values.prunedKinds;
    }

    /** Return a copy of these options with the given kinds to prune; see {@code ControllerBuilder.prunes}, which also watches them. */
    public ControllerOptions withPrunedKinds(Set<KindName> kinds) {
        return change(copy -> copy.prunedKinds = Set.copyOf(kinds));
    }

    private ControllerOptions change(Consumer<Values> change) {
        return new ControllerOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ControllerOptions[maxConcurrentReconciles=" + values.maxConcurrentReconciles
                + ", virtualThreads=" + values.virtualThreads
                + ", cacheSyncTimeout=" + values.cacheSyncTimeout
                + ", reconcileTimeout=" + values.reconcileTimeout
                + ", stuckAfter=" + values.stuckAfter
                + ", interruptTimeout=" + values.interruptTimeout
                + ", fatalErrors=" + values.fatalErrors
                + ", minInterval=" + values.minInterval
                + ", maxAttempts=" + values.maxAttempts
                + ", pauseAnnotation=" + values.pauseAnnotation
                + ", priorityAging=" + values.priorityAging
                + ", fairness=" + values.fairness
                + ", fieldManager=" + values.fieldManager
                + ", serviceAccount=" + values.serviceAccount
                + ", placement=" + values.placement + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private int maxConcurrentReconciles = 1;
        private boolean virtualThreads;
        private Duration cacheSyncTimeout = DEFAULT_CACHE_SYNC_TIMEOUT;
        private Duration reconcileTimeout = Duration.ZERO;
        private Duration stuckAfter = DEFAULT_STUCK_AFTER;
        private Duration interruptTimeout = DEFAULT_INTERRUPT_TIMEOUT;
        private boolean fatalErrors;
        private Duration minInterval = Duration.ZERO;
        private int maxAttempts;
        private String pauseAnnotation = DEFAULT_PAUSE_ANNOTATION;
        private Duration initialBackoff = RateLimiters.DEFAULT_BASE;
        private Duration maxBackoff = RateLimiters.DEFAULT_MAX;
        private Supplier<? extends RateLimiter<Object>> rateLimiter = ApiRateLimits::defaults;
        private PriorityAging priorityAging = PriorityAging.defaults();
        private @Nullable Fairness<Object> fairness;
        private Placement placement = Placement.leader();
        private ReconcileObserver observer = ReconcileObserver.NONE;
        private TimeSource timeSource = TimeSource.system();
        private Optional<String> fieldManager = Optional.empty();
        private String serviceAccount = "";
        private String cluster = "";
        private Set<KindName> prunedKinds = Set.of();
    }
}
