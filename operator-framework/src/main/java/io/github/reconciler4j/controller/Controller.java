package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Definition;
import io.github.reconciler4j.controller.internal.Engine;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.source.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests from its sources into a queue of its own and has its workers run a reconciler for them.
 *
 * <p>What it promises:
 * <ul>
 *   <li>Workers start only after every source has started and told everything that was there.
 *   <li>Equal requests never run at the same time. One that is queued again while it runs, runs once more afterwards.
 *   <li>A run that throws is tried again after a delay that grows, also if it threw an {@link Error}; a run that throws a
 *       {@link io.github.reconciler4j.reconcile.TerminalException} is not.
 *   <li>A run that succeeds ends the count of failures, and comes back if and when its result says so.
 *   <li>At stop no new request is taken, runs under way may finish within the grace period and are interrupted then.
 * </ul>
 *
 * <p>Can be started again after it was stopped or its start failed; the queue begins empty then, and the sources tell
 * everything anew. Usually made by {@code ControllerBuilder} and run by a manager. Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class Controller<R> implements ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final Definition<R> definition;
    private final EngineSlot<R> slot = new EngineSlot<>();
    private final WatchList<R> watches;
    private final WorkerCount workers;
    private final ControllerLifecycle<R> lifecycle;
    private final ControllerRequests<R> requests;

    /** What the reconciler needs besides the watches. */
    private final List<RequiredPermission> declaredPermissions = new CopyOnWriteArrayList<>();

    private Controller(Definition<R> definition) {
        this.definition = definition;
        this.watches = new WatchList<>(definition.name(), slot);
        this.workers = new WorkerCount(slot, definition.options().maxConcurrentReconciles());
        this.lifecycle = new ControllerLifecycle<>(definition, slot, watches, workers);
        this.requests = new ControllerRequests<>(slot, lifecycle);
    }

    /**
     * Creates a controller without sources.
     *
     * @param name names it in logs, metrics and health: at most 63 lower-case letters, digits, {@code -} and
     *     {@code .}
     * @throws IllegalArgumentException if the name is none
     */
    public static <R> Controller<R> create(
            String name, RequestReconciler<R> reconciler, ControllerOptions options, OperatorMetrics metrics) {
        return create(Definition.of(checked(name), null, reconciler, placed(options, name), metrics));
    }

    /**
     * Create a controller without sources for one kind.
     *
     * @param kind the kind; the log context of reconciliations has it
     * @throws IllegalArgumentException if the name is not valid
     */
    public static <R> Controller<R> create(
            String name,
            GroupVersionKind kind,
            RequestReconciler<R> reconciler,
            ControllerOptions options,
            OperatorMetrics metrics) {
        return create(Definition.of(checked(name), kind, reconciler, placed(options, name), metrics));
    }

    private static <R> Controller<R> create(Definition<R> definition) {
        return new Controller<>(definition);
    }

    private static String checked(String name) {
        if (!name.matches("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException("'name' of a controller must be at most 63 lower-case letters, digits,"
                    + " '-' and '.', and must start and end with a letter or digit, was '" + name + "'");
        }
        return name;
    }

    private static ControllerOptions placed(ControllerOptions options, String name) {
        return options.withPlacement(options.placement().of(name));
    }

    @Override
    public String name() {
        return definition.name();
    }

    @Override
    public StartGroup group() {
        return options().placement().group();
    }

    @Override
    public String lease() {
        return options().placement().lease();
    }

    /** Declares rights that the reconciler needs besides watching the kinds of the sources; see {@link #needs}. */
    public void declare(List<RequiredPermission> needs) {
        declaredPermissions.addAll(needs);
    }

    /** To watch the kinds of its sources, and what was declared. */
    @Override
    public List<RequiredPermission> requiredPermissions() {
        return Stream.concat(watches.requiredPermissions(), declaredPermissions.stream())
                .distinct()
                .toList();
    }

    /** Return {@link #healthCheck}. */
    @Override
    public List<HealthCheck> healthChecks() {
        return List.of(healthCheck());
    }

    /** Return {@link #warmUp}. */
    @Override
    public List<ManagedComponent> companions() {
        return warmUp().stream().toList();
    }

    /**
     * What to add to the manager beside the controller if its placement asks for a warm-up: starts the sources on every
     * replica and no worker, so that the queue is full when the controller itself starts. Once stopped, as after a lost
     * lease, the controller starts anew without it.
     */
    public Optional<ManagedComponent> warmUp() {
        boolean wanted = options().placement().warmUp() && group() == StartGroup.LEADER_ELECTED;
        return wanted ? Optional.of(new WarmUp(name(), lifecycle)) : Optional.empty();
    }

    /** What its sources lack that does not come by itself, while it is {@link ControllerState#WAITING}. */
    @Override
    public String notReadyReason() {
        Engine<R> starting = slot.get();
        return starting == null ? "" : String.join("; ", starting.notReadyReasons());
    }

    /** What it was created with; {@link Placement#dedicatedLease} has become the lease of its name. */
    public ControllerOptions options() {
        return definition.options();
    }

    /** What it does now. */
    public ControllerState state() {
        return lifecycle.state();
    }

    /**
     * Adds a source. In a controller that has started the source starts at once, on the calling thread, and what it has
     * to tell is not waited for; otherwise it starts with the controller.
     *
     * @return the way to remove it
     * @throws IllegalStateException if the source could not be started; it is not added then
     */
    public Watch<R> watch(EventSource<R> source) {
        return watches.add(source);
    }

    /** The sources it has now. */
    public List<EventSource<R>> sources() {
        return watches.sources();
    }

    /**
     * Starts the sources, waits until all have told what was there, at most the cache sync timeout of the options, and
     * starts the workers.
     *
     * @throws io.github.reconciler4j.cache.CacheSyncTimeoutException if sources were not ready in time; the message
     *     names them and why
     * @throws IllegalStateException if it was started before and not stopped, or if a source failed
     * @throws InterruptedException if the thread is interrupted, or if {@link #stop} was called meanwhile
     */
    @Override
    public void start() throws InterruptedException {
        lifecycle.start();
    }

    /**
     * Takes no new requests, ends the sources, lets runs under way finish within the grace period, then interrupts them,
     * and returns when the workers have ended. A run that ignores its interrupt for the patience of the options is logged,
     * shown in health and left behind; its request does not run again before it has returned. Ends a start that is under
     * way. Does nothing if the controller is not started.
     *
     * @param grace zero interrupts at once, a negative time waits without end
     */
    @Override
    public void stop(Duration grace) {
        lifecycle.stop(grace);
    }

    /**
     * Lets the workers end after their current runs. Requests go on being queued, and merged, until {@link #resume}. Works
     * before start as well.
     */
    public void pause() {
        setPaused(true);
    }

    /** Ends a {@link #pause}; does nothing if there is none. */
    public void resume() {
        setPaused(false);
    }

    private void setPaused(boolean paused) {
        workers.setPaused(paused);
        LOG.info("Controller {} is {}", name(), paused ? "paused" : "not paused any more");
    }

    /** Whether it is paused. */
    public boolean isPaused() {
        return workers.isPaused();
    }

    /** How many workers it has, or will have when it runs and is not paused. */
    public int maxConcurrentReconciles() {
        return workers.whenRunning();
    }

    /**
     * Changes the number of workers, at once; those that are too many end after their current run.
     *
     * @param newWorkers at least 1
     */
    public void setMaxConcurrentReconciles(int newWorkers) {
        workers.set(newWorkers);
    }

    /** The requests it has now: those that wait, run and fail. */
    public ControllerRequests<R> requests() {
        return requests;
    }

    /** Says whether it works; its name is {@code controller/} and that of the controller. */
    public HealthCheck healthCheck() {
        return new ControllerHealth(this, definition, lifecycle, slot);
    }

    @Override
    public String toString() {
        return "Controller[" + name() + ", " + state() + "]";
    }
}
