package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.ControllerMetrics;
import io.github.reconciler4j.controller.internal.Engine;
import io.github.reconciler4j.controller.internal.VmFailures;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.AccessNeed;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
 */
public final class Controller<R> implements ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final String name;
    private final RequestReconciler<R> reconciler;
    private final ControllerOptions options;
    private final OperatorMetrics operatorMetrics;
    private final ControllerMetrics metrics;
    private final VmFailures vmFailures = new VmFailures();
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when a start has ended, well or not. */
    private final Condition startEnded = lock.newCondition();

    /** Guarded by {@link #lock}. */
    private final List<Watch<R>> watches = new ArrayList<>();

    /** What the reconciler needs besides the watches. */
    private final List<AccessNeed> declaredNeeds = new CopyOnWriteArrayList<>();

    /** Written under {@link #lock}. */
    private volatile ControllerState state = ControllerState.NEW;

    /** From the begin of start to the end of stop. Written under {@link #lock}. */
    private volatile @Nullable Engine<R> engine;

    /** The thread in {@link #start}. Guarded by {@link #lock}. */
    private @Nullable Thread starter;

    /** Written under {@link #lock}. */
    private volatile int workers;

    /** Written under {@link #lock}. */
    private volatile boolean paused;

    /** Why the last start failed, {@code ""} if it did not. */
    private volatile String startFailure = "";

    private Controller(
            String name, RequestReconciler<R> reconciler, ControllerOptions options, OperatorMetrics metrics) {
        this.name = name;
        this.reconciler = reconciler;
        this.options = options;
        this.operatorMetrics = metrics;
        this.metrics = new ControllerMetrics(metrics, name);
        this.workers = options.maxConcurrentReconciles();
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
        if (!name.matches("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException("'name' of a controller must be at most 63 lower-case letters, digits,"
                    + " '-' and '.', beginning and ending with a letter or digit, was '" + name + "'");
        }
        Objects.requireNonNull(reconciler, "'reconciler' must not be null");
        return new Controller<>(name, reconciler, options, metrics);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public StartGroup group() {
        return options.placement().group();
    }

    @Override
    public String lease() {
        return options.placement().lease();
    }

    /** Declares rights that the reconciler needs besides watching the kinds of the sources; see {@link #needs}. */
    public void declare(List<AccessNeed> needs) {
        declaredNeeds.addAll(needs);
    }

    /** To watch the kinds of its sources, and what was declared. */
    @Override
    public List<AccessNeed> needs() {
        List<Watch<R>> now;
        lock.lock();
        try {
            now = List.copyOf(watches);
        } finally {
            lock.unlock();
        }
        Stream<AccessNeed> watched = now.stream()
                .map(Watch::source)
                .filter(KindSource.class::isInstance)
                .map(source -> AccessNeed.watching(((KindSource<?, ?>) source).kind()));
        return Stream.concat(watched, declaredNeeds.stream()).distinct().toList();
    }

    /** What it was created with. */
    public ControllerOptions options() {
        return options;
    }

    /** What it does now. */
    public ControllerState state() {
        return state;
    }

    /**
     * Adds a source. In a controller that has started the source starts at once, on the calling thread, and what it has
     * to tell is not waited for; otherwise it starts with the controller.
     *
     * @return the way to remove it
     * @throws IllegalStateException if the source could not be started; it is not added then
     */
    public Watch<R> watch(EventSource<R> source) {
        SourceWatch watch = new SourceWatch(source);
        Engine<R> running;
        lock.lock();
        try {
            watches.add(watch);
            running = engine;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            addTo(running, watch);
        }
        return watch;
    }

    private void addTo(Engine<R> running, Watch<R> watch) {
        try {
            running.add(watch);
        } catch (Exception e) {
            watch.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException(
                    "Controller '" + name + "' could not start source "
                            + watch.source().name() + ": " + e.getMessage(),
                    e);
        }
    }

    /** The sources it has now. */
    public List<EventSource<R>> sources() {
        lock.lock();
        try {
            return watches.stream().map(Watch::source).toList();
        } finally {
            lock.unlock();
        }
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
        beginStart();
        Engine<R> starting = null;
        boolean started = false;
        try {
            starting = new Engine<>(name, reconciler, options, metrics, operatorMetrics, vmFailures);
            List<Watch<R>> initial = install(starting);
            LOG.info("Starting controller {} with {} sources", name, initial.size());
            starting.start(initial);
            started = true;
            startFailure = "";
        } catch (RuntimeException | Error e) {
            startFailure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            startEnded(starting, started);
        }
        LOG.info("Controller {} runs with {} workers", name, workers);
    }

    private void beginStart() {
        lock.lock();
        try {
            if (starter != null || engine != null) {
                throw new IllegalStateException("Controller '" + name + "' has been started already, it is " + state);
            }
            starter = Thread.currentThread();
            state = ControllerState.STARTING;
        } finally {
            lock.unlock();
        }
    }

    /** From here on new watches go to the engine; those there were before are returned. */
    private List<Watch<R>> install(Engine<R> starting) {
        lock.lock();
        try {
            starting.resize(paused ? 0 : workers);
            engine = starting;
            return List.copyOf(watches);
        } finally {
            lock.unlock();
        }
    }

    private void startEnded(@Nullable Engine<R> starting, boolean started) {
        if (!started && starting != null) {
            starting.stop(Duration.ZERO);
        }
        lock.lock();
        try {
            starter = null;
            engine = started ? starting : null;
            state = started ? ControllerState.RUNNING : ControllerState.FAILED;
            startEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes no new requests, ends the sources, lets runs under way finish within the grace period, then interrupts them,
     * and returns when the workers have ended; a run that ignores its interrupt for 5 seconds is logged and left behind.
     * Ends a start that is under way. Does nothing if the controller is not started.
     *
     * @param grace zero interrupts at once, a negative time waits without end
     */
    @Override
    public void stop(Duration grace) {
        Engine<R> stopping = beginStop();
        if (stopping == null) {
            return;
        }
        LOG.info("Stopping controller {}, {} reconciles are under way", name, stopping.busy());
        stopping.stop(grace);
        lock.lock();
        try {
            engine = null;
            state = ControllerState.STOPPED;
        } finally {
            lock.unlock();
        }
        LOG.info("Controller {} has stopped", name);
    }

    private @Nullable Engine<R> beginStop() {
        lock.lock();
        try {
            Thread starting = starter;
            if (starting != null && starting != Thread.currentThread()) {
                starting.interrupt();
                while (starter == starting) {
                    startEnded.awaitUninterruptibly();
                }
            }
            if (engine == null || state != ControllerState.RUNNING) {
                return null;
            }
            state = ControllerState.STOPPING;
            return engine;
        } finally {
            lock.unlock();
        }
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

    private void setPaused(boolean newPaused) {
        lock.lock();
        try {
            paused = newPaused;
            resizeLocked();
        } finally {
            lock.unlock();
        }
        LOG.info("Controller {} is {}", name, newPaused ? "paused" : "not paused any more");
    }

    /** Whether it is paused. */
    public boolean isPaused() {
        return paused;
    }

    /** How many workers it has, or will have when it runs and is not paused. */
    public int maxConcurrentReconciles() {
        return workers;
    }

    /**
     * Changes the number of workers, at once; those that are too many end after their current run.
     *
     * @param newWorkers at least 1
     */
    public void setMaxConcurrentReconciles(int newWorkers) {
        if (newWorkers < 1) {
            throw new IllegalArgumentException("'maxConcurrentReconciles' must be at least 1, was " + newWorkers);
        }
        lock.lock();
        try {
            workers = newWorkers;
            resizeLocked();
        } finally {
            lock.unlock();
        }
    }

    private void resizeLocked() {
        if (engine != null) {
            engine.resize(paused ? 0 : workers);
        }
    }

    /** What its queue looks like now; empty while it is not started. */
    public Optional<WorkQueueSnapshot<R>> queue() {
        return Optional.ofNullable(engine).map(Engine::queue);
    }

    /** The requests whose last run failed, at most so many, those that are tried next first; none while not started. */
    public List<FailingRequest<R>> failing(int limit) {
        Engine<R> running = engine;
        return running == null ? List.of() : running.failing(limit);
    }

    /** How many requests' last run failed; 0 while it is not started. */
    public int failingCount() {
        Engine<R> running = engine;
        return running == null ? 0 : running.failingCount();
    }

    /** How many runs are under way now. */
    public int running() {
        Engine<R> running = engine;
        return running == null ? 0 : running.busy();
    }

    /**
     * Queues a request now, in front of its backoff and of what nobody waits for. Its count of failures stays.
     *
     * @return whether it was queued: false while the controller is not started
     */
    public boolean requeue(R request) {
        Engine<R> running = state == ControllerState.RUNNING ? engine : null;
        if (running != null) {
            running.requeue(request);
        }
        return running != null;
    }

    /** Says whether it works; its name is {@code controller/} and that of the controller. */
    public HealthCheck healthCheck() {
        return new ControllerHealth(this);
    }

    @Nullable
    Engine<R> engine() {
        return engine;
    }

    VmFailures vmFailures() {
        return vmFailures;
    }

    String startFailure() {
        return startFailure;
    }

    @Override
    public String toString() {
        return "Controller[" + name + ", " + state + "]";
    }

    private void remove(Watch<R> watch) {
        Engine<R> running;
        lock.lock();
        try {
            watches.remove(watch);
            running = engine;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.remove(watch);
        }
    }

    private final class SourceWatch implements Watch<R> {

        private final EventSource<R> source;

        SourceWatch(EventSource<R> source) {
            this.source = source;
        }

        @Override
        public EventSource<R> source() {
            return source;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
