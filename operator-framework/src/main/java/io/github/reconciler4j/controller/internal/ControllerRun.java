package io.github.reconciler4j.controller.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.controller.internal.SourceSink.Triggers;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a controller has between one start and the next stop: queue, sources, workers, watchdog. Started once, stopped
 * once. Thread-safe.
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class ControllerRun<R> {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerRun.class);

    /** The source in the trigger of a request that was requeued through {@link #requeue}. */
    private static final String REQUEUE = "requeue";

    private final ControllerDefinition<R> definition;
    private final ControllerOptions options;
    private final QueueMetrics queueMetrics;
    private final WorkQueue<R> queue;
    private final Triggers<R> triggers = new Triggers<>();
    private final SourceSink.Target<R> target;
    private final RequestProcessor<R> processor;
    private final WorkerPool<R> pool;
    private final Watchdog watchdog;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<RunningSource<R>> sources = new ArrayList<>();

    /** Whether the start has reached the workers. */
    private volatile boolean started;

    /** How many workers there should be; 0 while paused. */
    private volatile IntSupplier workers = () -> 0;

    /** Written by start and read by stop, which follows it. */
    private volatile List<Registration> gauges = List.of();

    /**
     * Create a run. Nothing is started.
     *
     * @param gate divides the requests among the replicas; null if they are not divided
     */
    public ControllerRun(ControllerDefinition<R> definition, @Nullable RequestGate<R> gate) {
        this.definition = definition;
        this.options = definition.options();
        this.queueMetrics = new QueueMetrics(definition.operatorMetrics(), definition.name());
        this.queue = WorkQueue.create(queueOptions());
        this.target = new SourceSink.Target<>(definition, queue, triggers, gate);
        this.processor = new RequestProcessor<>(definition, queue, triggers);
        this.pool = new WorkerPool<>(
                definition.name(),
                options.fieldManager().orElse(definition.name()),
                options,
                () -> new Worker<>(queue, processor, gate));
        this.watchdog = new Watchdog(definition.name(), pool, options);
        if (gate != null) {
            gate.attach(new GatedQueue<>(queue, this::known, this::forget));
        }
    }

    /**
     * The queue of a run, as its gate uses it. Thread-safe.
     *
     * @param known returns the requests of which something is known though they are not in the queue
     * @param forget forgets what is known of a request besides
     * @param <R> the type of requests
     */
    private record GatedQueue<R>(WorkQueue<R> queue, Supplier<Set<R>> known, Consumer<R> forget)
            implements RequestGate.Backlog<R> {

        @Override
        public void add(R request, int priority) {
            queue.add(request, priority);
        }

        @Override
        public void remove(R request) {
            queue.remove(request);
            forget.accept(request);
        }

        @Override
        public void forget(R request) {
            queue.forget(request);
            forget.accept(request);
        }

        @Override
        public Collection<R> waiting() {
            Set<R> all = new LinkedHashSet<>(queue.waiting());
            all.addAll(known.get());
            return all;
        }
    }

    /** Return requests that wait for a change, or for the end of a pause. */
    private Set<R> known() {
        Set<R> all = processor.failing();
        all.addAll(definition.paused().all());
        return all;
    }

    /** Forget a request that belongs to another process now. */
    private void forget(R request) {
        triggers.take(request);
        processor.forgetFailures(request);
        definition.paused().forget(request);
    }

    /** The limiter and the fairness only consume requests, so those for any object also serve for this type. */
    @SuppressWarnings("unchecked")
    private WorkQueueOptions<R> queueOptions() {
        WorkQueueOptions<Object> settings = WorkQueueOptions.<Object>defaults(definition.name())
                .withRateLimiter((RateLimiter<Object>) options.rateLimiter().get())
                .withAging(options.priorityAging())
                .withMetrics(queueMetrics)
                .withTimeSource(options.timeSource());
        WorkQueueOptions<Object> all =
                options.fairness().map(settings::withFairness).orElse(settings);
        return (WorkQueueOptions<R>) (WorkQueueOptions<?>) all;
    }

    /**
     * Start the sources and, when all have enqueued what existed, the workers.
     *
     * @throws io.github.reconciler4j.cache.CacheSyncTimeoutException if sources were not ready in time
     * @throws IllegalStateException if a source failed, which is the cause
     * @throws InterruptedException if the thread is interrupted
     */
    public void start(List<RequestSource<R>> initial) throws InterruptedException {
        starter().startAndSync(activate(initial));
        gauges = List.of(
                definition.metrics().maxWorkers(() -> workers.getAsInt()),
                definition.metrics().activeWorkers(pool::busy),
                definition.metrics().stuck(() -> watchdog.stuck().size()),
                definition.metrics().stalled(this::stalledCount),
                definition.metrics().paused(() -> definition.paused().count()),
                definition.metrics().busyRequests(() -> busyRequests().size()),
                definition
                        .metrics()
                        .undelivered(() -> undelivered().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()));
        watchdog.start();
        pool.adoptScope();
        started = true;
        pool.resize(workers);
    }

    /** Start the sources alone, so that the queue fills before {@link #start}. Throws what that throws. */
    public void warmUp(List<RequestSource<R>> initial) throws InterruptedException {
        starter().start(activate(initial));
    }

    private SourceStarter<R> starter() {
        return new SourceStarter<>(definition.fullName(), options.cluster(), options.cacheSyncTimeout());
    }

    private List<RunningSource<R>> activate(List<RequestSource<R>> initial) {
        return initial.stream().map(this::activate).toList();
    }

    /** Start one more source and return without waiting for its sync. */
    public void add(RequestSource<R> source) throws Exception {
        activate(source).start();
    }

    private RunningSource<R> activate(RequestSource<R> source) {
        lock.lock();
        try {
            for (RunningSource<R> known : sources) {
                if (known.source() == source) {
                    return known;
                }
            }
            RunningSource<R> added = new RunningSource<>(source, new SourceSink<>(target));
            sources.add(added);
            return added;
        } finally {
            lock.unlock();
        }
    }

    /** Stop a source. Does nothing if it is not running. */
    public void remove(RequestSource<R> source) {
        RunningSource<R> removed = null;
        lock.lock();
        try {
            for (RunningSource<R> known : sources) {
                removed = known.source() == source ? known : removed;
            }
            if (removed != null) {
                sources.remove(removed);
            }
        } finally {
            lock.unlock();
        }
        if (removed != null) {
            removed.close();
        }
    }

    /** Let sources forget a controller. One that fails must not keep the others from it. */
    public static void detach(String controller, List<? extends RequestSource<?>> sources) {
        LogLimiter failures = new LogLimiter();
        for (RequestSource<?> source : sources) {
            try {
                source.detach(controller);
            } catch (Throwable e) {
                failures.log(
                        LogLimiter.cause(e),
                        occurrence -> LOG.warn(
                                "A source of controller {} could not be detached{}",
                                controller,
                                occurrence.suffix(e),
                                occurrence.trace(e)));
            }
        }
    }

    private List<RunningSource<R>> sources() {
        lock.lock();
        try {
            return List.copyOf(sources);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Set the number of workers, which is 0 before the first call. After the start new ones start at once, and surplus ones
     * end after their current reconciliation.
     *
     * @param wanted returns the number that is wanted when it is called
     */
    public void resize(IntSupplier wanted) {
        workers = wanted;
        queue.setWorkers(wanted.getAsInt());
        if (started) {
            pool.resize(wanted);
        }
    }

    /**
     * Dequeue no new requests, stop the sources, let running reconciliations finish within the grace period, then interrupt
     * them, and return when all workers have ended. One that ignores its interrupt is reported and abandoned as a daemon.
     * Does the same for a run whose start failed.
     *
     * @param grace zero interrupts at once, a negative time waits without limit
     */
    public void stop(Duration grace) {
        queue.shutDown();
        sources().forEach(source -> remove(source.source()));
        boolean interrupted = endWorkers(grace);
        gauges.forEach(Registration::close);
        queueMetrics.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** An interrupt of the caller ends the grace period; returns whether there was one. */
    private boolean endWorkers(Duration grace) {
        boolean interrupted = false;
        try {
            if (pool.awaitEnd(grace)) {
                return stopWatchdog();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        pool.interruptAll();
        try {
            if (!pool.awaitEnd(options.interruptTimeout())) {
                definition.abandonedRuns().add(pool.alive());
            }
        } catch (InterruptedException e) {
            definition.abandonedRuns().add(pool.alive());
            interrupted = true;
        }
        return stopWatchdog() || interrupted;
    }

    private boolean stopWatchdog() {
        try {
            if (started) {
                watchdog.stop();
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Return a snapshot of the queue. */
    public WorkQueueSnapshot<R> queue() {
        return queue.snapshot();
    }

    /** Enqueue a request at once, with the priority of a change. */
    public void requeue(R request) {
        R located = definition.located(request);
        triggers.record(located, Trigger.external(REQUEUE));
        queue.add(located);
    }

    /** Return requests whose last reconciliation failed, at most {@code limit}, those with the earliest retry first. */
    public List<FailingRequest<R>> failing(int limit) {
        return processor.failures().failing(queue.snapshot(limit), limit);
    }

    /** Return a request if its last reconciliation failed. */
    public Optional<FailingRequest<R>> failing(R request) {
        return processor.failures().failing(definition.located(request), () -> find(request));
    }

    /** Return where a request is in the queue; empty if it is not. */
    public Optional<WorkQueueSnapshot.Position> find(R request) {
        return queue.find(definition.located(request));
    }

    /** Return the number of requests whose last reconciliation failed. */
    public int failingCount() {
        return processor.failures().count();
    }

    /** Return the number of requests that are not retried until something changes. */
    public int stalledCount() {
        return processor.failures().stalled();
    }

    /** Return the requests that are reconciled more than ten times per second, the busiest first. */
    public List<BusyKeys.Rate<R>> busyRequests() {
        return processor.busy();
    }

    /** Return the number of requests that are ready. */
    public int queued() {
        return queue.size();
    }

    /** Return the number of workers that are reconciling. */
    public int busy() {
        return pool.busy();
    }

    /** Return the sources that the start waits for, with the reason if it is known; empty after the start. */
    public List<String> waitingFor() {
        return pending()
                .map(source -> {
                    String reason = source.notReadyReason();
                    String name = source.source().name();
                    return reason.isEmpty() ? name : name + ": " + reason;
                })
                .sorted()
                .toList();
    }

    /** Return what prevents sources from being ready and requires action, with their names. */
    public List<String> notReadyReasons() {
        return pending()
                .filter(source -> !source.notReadyReason().isEmpty())
                .map(source -> source.source().name() + ": " + source.notReadyReason())
                .sorted()
                .toList();
    }

    private Stream<RunningSource<R>> pending() {
        return started ? Stream.empty() : sources().stream().filter(source -> !source.isSynced());
    }

    /** Return, by source, the number of objects with changes that a predicate or handler has failed to process so far. */
    public Map<String, Integer> undelivered() {
        Map<String, Integer> undelivered = new TreeMap<>();
        for (RunningSource<R> source : sources()) {
            int count = source.undelivered();
            if (count > 0) {
                undelivered.merge(source.source().name(), count, Integer::sum);
            }
        }
        return undelivered;
    }

    /** Return the threads of this run that ended although the run continues. */
    public List<String> deadThreads() {
        if (!started || queue.isShuttingDown()) {
            return List.of();
        }
        List<String> dead = new ArrayList<>(pool.dead());
        if (!watchdog.isAlive()) {
            dead.add("watchdog");
        }
        sources().stream()
                .filter(source -> !source.isAlive())
                .map(source -> "source " + source.source().name())
                .forEach(dead::add);
        return dead;
    }

    /** Return the requests whose reconciliations were reported as stuck and have not returned. */
    public List<Request> stuck() {
        return watchdog.stuck();
    }
}
