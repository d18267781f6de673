package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.controller.Watch;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What a controller has between one start and the next stop: queue, sources, workers, watchdog. Started once, stopped
 * once. Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class Engine<R> {

    /** The source named in the triggers of a run that a person asked for. */
    private static final String BY_HAND = "requeue";

    private final Definition<R> definition;
    private final ControllerOptions options;
    private final QueueMetrics queueMetrics;
    private final WorkQueue<R> queue;
    private final Triggers<R> triggers = new Triggers<>();
    private final RequestProcessor<R> processor;
    private final WorkerPool<R> pool;
    private final Watchdog watchdog;
    private final Map<Watch<R>, ActiveSource<R>> sources = new ConcurrentHashMap<>();

    /** Whether start got as far as the workers. */
    private volatile boolean started;

    /** How many workers there should be; 0 while paused. */
    private volatile int workers;

    /** Written by start, read by stop, which follows it. */
    private volatile List<Registration> gauges = List.of();

    /** Creates it; nothing runs yet. */
    public Engine(Definition<R> definition) {
        this.definition = definition;
        this.options = definition.options();
        this.queueMetrics = new QueueMetrics(definition.operatorMetrics(), definition.name());
        this.queue = WorkQueue.create(queueOptions());
        this.processor = new RequestProcessor<>(definition, queue, triggers);
        this.pool = new WorkerPool<>(definition.name(), options.virtualThreads(), () -> new Worker<>(queue, processor));
        this.watchdog = new Watchdog(definition.name(), pool, options);
    }

    /** The limiter and the fairness only consume requests, so those for any object also serve for this type. */
    @SuppressWarnings("unchecked")
    private WorkQueueOptions<R> queueOptions() {
        WorkQueueOptions<Object> settings = WorkQueueOptions.<Object>defaults(definition.name())
                .withRateLimiter((RateLimiter<Object>) options.rateLimiter().get())
                .withAging(options.priorityAging())
                .withMetrics(queueMetrics);
        WorkQueueOptions<Object> all =
                options.fairness().map(settings::withFairness).orElse(settings);
        return (WorkQueueOptions<R>) (WorkQueueOptions<?>) all;
    }

    /**
     * Starts the sources and, once all have told what was there, the workers.
     *
     * @throws io.github.reconciler4j.cache.CacheSyncTimeoutException if sources were not ready in time
     * @throws IllegalStateException if a source failed, which is the cause
     * @throws InterruptedException if the thread is interrupted
     */
    public void start(List<Watch<R>> watches) throws InterruptedException {
        starter().startAndSync(activate(watches));
        gauges = definition
                .metrics()
                .startGauges(() -> workers, pool::busy, () -> watchdog.stuck().size());
        watchdog.start();
        pool.adoptScope();
        started = true;
        pool.resize(() -> workers);
    }

    /** Starts the sources alone, so that the queue fills before {@link #start}; throws what that throws. */
    public void warmUp(List<Watch<R>> watches) throws InterruptedException {
        starter().start(activate(watches));
    }

    private SourceStarter<R> starter() {
        return new SourceStarter<>(definition.name(), options.cacheSyncTimeout());
    }

    private List<ActiveSource<R>> activate(List<Watch<R>> watches) {
        return watches.stream().map(this::activate).toList();
    }

    /** Starts one more source and returns without waiting for what it has to tell. */
    public void add(Watch<R> watch) throws Exception {
        activate(watch).start();
    }

    private ActiveSource<R> activate(Watch<R> watch) {
        return sources.computeIfAbsent(
                watch, added -> new ActiveSource<>(definition.name(), added.source(), queue, triggers));
    }

    /** Ends a source; does nothing if it is not at work. */
    public void remove(Watch<R> watch) {
        ActiveSource<R> active = sources.remove(watch);
        if (active != null) {
            active.close();
        }
    }

    /**
     * Sets the number of workers, which is 0 before the first call. After start new ones begin at once, and those that
     * are too many end after their current run.
     */
    public void resize(int newWorkers) {
        workers = newWorkers;
        queue.setWorkers(newWorkers);
        if (started) {
            pool.resize(() -> workers);
        }
    }

    /**
     * Takes no new requests, ends the sources, lets runs under way finish within the grace period, then interrupts them.
     * Returns when all workers have ended; one that ignores its interrupt is reported and left behind as a daemon. Does
     * the same for an engine whose start failed.
     *
     * @param grace zero interrupts at once, a negative time waits without end
     */
    public void stop(Duration grace) {
        queue.shutDown();
        sources.values().forEach(ActiveSource::close);
        sources.clear();
        boolean interrupted = endWorkers(grace);
        gauges.forEach(Registration::close);
        queueMetrics.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** An interrupt of the caller cuts the grace period short; returns whether there was one. */
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

    /** What the queue looks like now. */
    public WorkQueueSnapshot<R> queue() {
        return queue.snapshot();
    }

    /** Queues a request at once, with the priority of a change, because a person asked for it. */
    public void requeue(R request) {
        triggers.record(request, Trigger.external(BY_HAND));
        queue.add(request);
    }

    /** The requests whose last run failed, at most so many: those that are tried next come first. */
    public List<FailingRequest<R>> failing(int limit) {
        return FailingRequests.read(processor.failures(), queue.snapshot(limit), limit);
    }

    /** How many requests' last run failed. */
    public int failingCount() {
        return processor.failures().count();
    }

    /** How many requests are ready. */
    public int queued() {
        return queue.size();
    }

    /** How many workers are in a run. */
    public int busy() {
        return pool.busy();
    }

    /** The sources that start still waits for, with what keeps them if it is known; empty once it has returned. */
    public List<String> waitingFor() {
        return pending()
                .map(source -> {
                    String obstacle = source.notReadyReason();
                    String name = source.source().name();
                    return obstacle.isEmpty() ? name : name + ": " + obstacle;
                })
                .sorted()
                .toList();
    }

    /** What keeps sources from being ready that does not pass by itself, with their names. */
    public List<String> notReadyReasons() {
        return pending()
                .filter(source -> !source.notReadyReason().isEmpty())
                .map(source -> source.source().name() + ": " + source.notReadyReason())
                .sorted()
                .toList();
    }

    private Stream<ActiveSource<R>> pending() {
        return started ? Stream.empty() : sources.values().stream().filter(source -> !source.isSynced());
    }

    /** The requests whose runs were reported as stuck and still go on. */
    public List<Request> stuck() {
        return watchdog.stuck().stream().map(ActiveRun::request).toList();
    }
}
