package io.github.reconciler4j.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.controller.internal.ControllerDefinition;
import io.github.reconciler4j.controller.internal.ControllerRun;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.RequestGate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests from its sources into its queue and lets its workers reconcile them. Usually built by
 * {@code ControllerBuilder} and started by a manager.
 *
 * <p>Guarantees:
 * <ul>
 *   <li>Workers start when every source has started and has enqueued what existed then.
 *   <li>Equal requests are never reconciled at the same time. A request that is enqueued while it is reconciled is
 *       reconciled again afterwards.
 *   <li>A failed reconciliation is retried with a growing delay, also after an {@link Error}, unless it threw a
 *       {@link io.github.reconciler4j.reconcile.TerminalException}.
 *   <li>A successful reconciliation resets the count of failures, and its result says whether and when it is repeated.
 *   <li>A stop dequeues no new requests; running reconciliations can finish within the grace period, which then interrupts them.
 * </ul>
 *
 * <p>A controller can be started again after it was stopped or its start failed. The queue is empty then, and the sources
 * enqueue everything again. Thread-safe.
 *
 * <p>Implementation: {@code lock} guards what outlives one run (the state, the sources) and which
 * {@link ControllerRun} is the current one; everything of one run is in that object. The lock is held neither while sources
 * start or stop nor while a run ends. Locks are taken in the order controller, run, worker pool, worker, queue.
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class Controller<R> implements ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final ControllerDefinition<R> definition;
    private final ControllerOperations<R> operations;
    private final List<RequiredPermission> permissions = new CopyOnWriteArrayList<>();
    private final Map<String, String> claims = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when a start or warm-up has ended, successfully or not. */
    private final Condition startEnded = lock.newCondition();

    /** Changed under the lock. */
    private final List<RequestSource<R>> sources = new CopyOnWriteArrayList<>();

    /** Written under the lock. */
    private volatile ControllerState state = ControllerState.NEW;

    /** From a start to the end of the next stop. Written under the lock. */
    private volatile @Nullable ControllerRun<R> run;

    /** The thread in a start or warm-up. */
    @GuardedBy("lock")
    private @Nullable Thread starter;

    /** Why the last start failed, {@code ""} if it did not. Written under the lock. */
    private volatile String startFailure = "";

    /** Divides the requests among the replicas; null if they are not divided. Set before the start. */
    private volatile @Nullable RequestGate<R> gate;

    /** Whether a start has ended or had to wait, so that a later one does not make the process unready. Once set, it stays. */
    private volatile boolean settled;

    private Controller(ControllerDefinition<R> definition) {
        this.definition = definition;
        this.operations = new ControllerOperations<>(this, definition.paused());
    }

    /**
     * Create a controller without sources that is not for one kind.
     *
     * @param name the name in logs, metrics and health: at most 63 lower-case letters, digits, {@code -} and {@code .}
     * @throws IllegalArgumentException if the name is not valid
     */
    public static <R> Controller<R> create(
            String name, RequestReconciler<R> reconciler, ControllerOptions options, OperatorMetrics metrics) {
        return new Controller<>(ControllerDefinition.of(name, null, reconciler, placed(options, name), metrics));
    }

    /**
     * Create a controller without sources for one kind.
     *
     * @param name the name in logs, metrics and health: at most 63 lower-case letters, digits, {@code -} and {@code .}
     * @param kind the kind; the log context of reconciliations has it
     * @throws IllegalArgumentException if the name is not valid
     */
    public static <R> Controller<R> create(
            String name,
            KindName kind,
            RequestReconciler<R> reconciler,
            ControllerOptions options,
            OperatorMetrics metrics) {
        return new Controller<>(ControllerDefinition.of(name, kind, reconciler, placed(options, name), metrics));
    }

    private static ControllerOptions placed(ControllerOptions options, String name) {
        return options.withPlacement(options.placement().of(name));
    }

    @Override
    public String name() {
        return definition.fullName();
    }

    @Override
    public String cluster() {
        return options().cluster();
    }

    @Override
    public StartGroup group() {
        return gate == null ? options().placement().group() : StartGroup.ALL_REPLICAS;
    }

    @Override
    public String lease() {
        return options().placement().lease();
    }

    /**
     * Divide the requests among the replicas: the controller runs on every replica, whatever its placement, and reconciles the
     * requests that the gate lets pass. To be called before it is added to a manager.
     */
    public void divide(RequestGate<R> newGate) {
        gate = newGate;
    }

    /** Return what divides the requests among the replicas, empty (the default) if nothing does. */
    public Optional<RequestGate<R>> gate() {
        return Optional.ofNullable(gate);
    }

    /** Declare permissions that the reconciler needs besides those for watching. */
    public void addRequiredPermissions(List<RequiredPermission> needed) {
        permissions.addAll(needed);
    }

    /** Declare what no other component of the manager may have, such as a finalizer; see {@link #claims}. */
    public void addClaims(Map<String, String> added) {
        claims.putAll(added);
    }

    @Override
    public Map<String, String> claims() {
        return Map.copyOf(claims);
    }

    /** Return the permissions to watch the kinds of the sources, and the declared ones, divided between the accounts. */
    @Override
    public List<RequiredPermission> requiredPermissions() {
        Stream<RequiredPermission> watching = sources().stream()
                .filter(KindSource.class::isInstance)
                .map(source -> RequiredPermission.watching(((KindSource<?, ?>) source).kind()));
        String account = options().serviceAccount();
        return Stream.concat(watching, RequiredPermission.withWritesBy(account, permissions))
                .distinct()
                .toList();
    }

    /** Return the kind that the controller was created for, empty if it is not for one kind. */
    public Optional<KindName> kind() {
        return Optional.ofNullable(definition.kind());
    }

    /** Return the sources. */
    public List<RequestSource<R>> sources() {
        return List.copyOf(sources);
    }

    /** Return the health of this controller, named {@code controller/} and its name. */
    @Override
    public List<HealthCheck> healthChecks() {
        return List.of(new ControllerHealth(this, definition));
    }

    /**
     * Return the warm-up, if the placement asks for one: a component of every replica that starts the sources and no
     * workers, so that the queue is full when the controller itself starts. After a stop, as after a lost lease, the
     * controller starts without it.
     */
    @Override
    public List<ManagedComponent> companions() {
        boolean wanted = options().placement().warmUp() && group() == StartGroup.LEADER_ELECTED;
        return wanted ? List.of(new Placement.WarmUp(name(), this::warmUp, this::endWarmUp)) : List.of();
    }

    /** Return what its sources lack and requires action, while the state is {@link ControllerState#WAITING}. */
    @Override
    public String notReadyReason() {
        ControllerRun<R> starting = run();
        return starting == null ? "" : String.join("; ", starting.notReadyReasons());
    }

    /** Return the options; the lease of {@link Placement#dedicatedLease} has the name of the controller. */
    public ControllerOptions options() {
        return definition.options();
    }

    /** Return the state. */
    public ControllerState state() {
        ControllerState now = state;
        return now == ControllerState.STARTING && !notReadyReason().isEmpty() ? ControllerState.WAITING : now;
    }

    /** Return the object to inspect and operate this controller with. */
    public ControllerOperations<R> operations() {
        return operations;
    }

    /**
     * Add a source. If the controller has started, the source starts at once, on the calling thread; what it enqueues is
     * not waited for. Otherwise it starts with the controller.
     *
     * @throws IllegalArgumentException if the controller already has this source
     * @throws IllegalStateException if the source could not be started; it has not been added then
     */
    public void watch(RequestSource<R> source) {
        ControllerRun<R> current;
        lock.lock();
        try {
            if (sources.stream().anyMatch(known -> known == source)) {
                throw new IllegalArgumentException(
                        "Controller '" + name() + "' already has the source " + source.name());
            }
            sources.add(Objects.requireNonNull(source, "'source' must not be null"));
            current = run;
        } finally {
            lock.unlock();
        }
        start(current, source);
    }

    private void start(@Nullable ControllerRun<R> current, RequestSource<R> source) {
        try {
            source.attach(name());
            if (current != null) {
                current.add(source);
            }
        } catch (Throwable e) {
            unwatch(source);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException(
                    "Controller '" + name() + "' could not start source " + source.name() + ": " + Causes.message(e),
                    e);
        }
    }

    /**
     * Remove a source: stop it now and do not start it again. Requests that it has enqueued stay.
     *
     * @return whether the controller had this source
     */
    public boolean unwatch(RequestSource<R> source) {
        ControllerRun<R> current;
        lock.lock();
        try {
            if (!sources.removeIf(known -> known == source)) {
                return false;
            }
            current = run;
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.remove(source);
        }
        source.detach(name());
        return true;
    }

    /** Report the requests of a cluster that has joined the manager with metrics of their own, if there are any. */
    public void joined(String cluster) {
        definition.metrics().joined(cluster);
    }

    /** Remove the sources and the metrics of a cluster that leaves the manager. */
    public void left(String cluster) {
        definition.metrics().left(cluster);
        sources().stream().filter(each -> each.cluster().equals(cluster)).forEach(this::unwatch);
    }

    /**
     * Start the sources, wait until all have enqueued what existed, at most the cache sync timeout of the options, and
     * start the workers.
     *
     * @throws io.github.reconciler4j.cache.CacheSyncTimeoutException if sources were not ready in time, with the reasons
     * @throws IllegalStateException if it was started and not stopped, or if a source failed
     * @throws InterruptedException if the thread is interrupted, or if {@link #stop} is called meanwhile
     */
    @Override
    public void start() throws InterruptedException {
        claimStart();
        LOG.info("Starting controller {}", name());
        runStart(ControllerState.RUNNING);
        LOG.info("Controller {} runs (workers: {})", name(), operations.maxConcurrentReconciles());
    }

    /** Start the sources alone, unless the controller was started or warmed up before. */
    private void warmUp() throws InterruptedException {
        if (claimWarmUp()) {
            runStart(ControllerState.WARM);
            LOG.info("Controller {} is warm and stands by", name());
        }
    }

    private void claimStart() throws InterruptedException {
        lock.lock();
        try {
            while (state == ControllerState.WARMING) {
                TimeSource.system().await(startEnded);
            }
            if (starter != null || (run != null && state != ControllerState.WARM)) {
                throw new IllegalStateException("Controller '" + name() + "' has already been started, it is " + state);
            }
            starter = Thread.currentThread();
            state = ControllerState.STARTING;
        } finally {
            lock.unlock();
        }
    }

    private boolean claimWarmUp() {
        lock.lock();
        try {
            if (starter != null || run != null) {
                return false;
            }
            starter = Thread.currentThread();
            state = ControllerState.WARMING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void runStart(ControllerState success) throws InterruptedException {
        ControllerRun<R> starting = null;
        String failure = "failed";
        try {
            ControllerRun<R> current = run();
            starting = current != null ? current : new ControllerRun<>(definition, gate);
            List<RequestSource<R>> initial = install(starting);
            if (success == ControllerState.WARM) {
                starting.warmUp(initial);
            } else {
                starting.start(initial);
            }
            failure = "";
        } catch (Throwable e) {
            failure = e instanceof InterruptedException ? "interrupted" : Causes.message(e);
            throw e;
        } finally {
            if (!failure.isEmpty() && starting != null) {
                starting.stop(Duration.ZERO);
            }
            endStart(failure.isEmpty() ? success : ControllerState.FAILED, failure);
        }
    }

    /** From here on {@link #watch} starts sources; those added before are returned. */
    private List<RequestSource<R>> install(ControllerRun<R> starting) {
        List<RequestSource<R>> initial;
        lock.lock();
        try {
            run = starting;
            initial = List.copyOf(sources);
        } finally {
            lock.unlock();
        }
        starting.resize(operations::wantedWorkers);
        return initial;
    }

    private void endStart(ControllerState reached, String failure) {
        lock.lock();
        try {
            starter = null;
            state = reached;
            startFailure = failure;
            settled = true;
            if (reached == ControllerState.FAILED) {
                run = null;
            }
            startEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Dequeue no new requests, stop the sources, let running reconciliations finish within the grace period, interrupt those that
     * have not, and return when the workers have ended. A reconciliation that ignores its interrupt for longer than the interrupt
     * timeout of the options is logged, shown in health and abandoned; its request is not reconciled again before it has returned.
     * Interrupts a start that is in progress. Does nothing if the controller is not started.
     *
     * @param grace zero interrupts at once, a negative time waits without limit
     */
    @Override
    public void stop(Duration grace) {
        ControllerRun<R> stopping = claimStop();
        if (stopping == null) {
            return;
        }
        LOG.info("Stopping controller {} with {} running reconciliations", name(), stopping.busy());
        stopping.stop(grace);
        lock.lock();
        try {
            run = null;
            state = ControllerState.STOPPED;
        } finally {
            lock.unlock();
        }
        LOG.info("Controller {} has stopped", name());
    }

    @Override
    public void removed() {
        ControllerRun.detach(name(), sources());
    }

    private @Nullable ControllerRun<R> claimStop() {
        lock.lock();
        try {
            Thread starting = starter;
            if (starting != null && starting != Thread.currentThread()) {
                starting.interrupt();
                while (starter == starting) {
                    TimeSource.system().awaitUninterruptibly(startEnded);
                }
            }
            if (run == null || (state != ControllerState.RUNNING && state != ControllerState.WARM)) {
                return null;
            }
            state = ControllerState.STOPPING;
            return run;
        } finally {
            lock.unlock();
        }
    }

    /** End a warm-up; does nothing once the controller has started. */
    private void endWarmUp() {
        ControllerState now = state();
        if (now == ControllerState.WARM || now == ControllerState.WARMING) {
            stop(Duration.ZERO);
        }
    }

    /** Return the current run, null if the controller is not started. */
    @Nullable
    ControllerRun<R> run() {
        return run;
    }

    /** Return why the last start failed, {@code ""} if it did not. */
    String startFailure() {
        return startFailure;
    }

    /** Return whether a start has ended, or once had to wait for something that requires action. */
    boolean isSettled(ControllerState now) {
        return settled = settled || now == ControllerState.WAITING;
    }

    @Override
    public String toString() {
        return "Controller[" + name() + ", " + state() + "]";
    }
}
