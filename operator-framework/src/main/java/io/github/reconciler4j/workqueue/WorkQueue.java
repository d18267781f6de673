package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Nanos;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of keys to work on. A key that is added several times before it is handed out is handed out once. A key that
 * was handed out is not handed out again until {@link #done} is called for it; if it was added in between, it is handed
 * out again afterwards, once. Keys of higher priority come first, those of the same priority in the order they became
 * ready; {@link PriorityAging} sees to it that low priorities are reached. A key that is added again keeps the higher priority
 * and the earlier time of the two; one whose priority rises goes behind the others of its new priority.
 *
 * <p>Keys need {@code equals} and {@code hashCode}. These must be quick and must not use the queue: {@code equals} is
 * called under its lock. All other foreign code (limiter, metrics, time, groups) is called without the lock. Adding
 * never waits for takers. Safe for use by many threads, platform or virtual.
 *
 * <pre>{@code
 * for (WorkItem<String> work = queue.take(); work != null; work = queue.take()) {
 *     String key = work.item();
 *     try {
 *         process(key);
 *         queue.forget(key);
 *     } catch (Exception e) {
 *         queue.addRateLimited(key, work.priority(), e);
 *     } finally {
 *         queue.done(key);
 *     }
 * }
 * }</pre>
 *
 * @param <T> the keys
 * @since 0.1.0
 */
public final class WorkQueue<T> {

    /** The priority of changes somebody made. */
    public static final int DEFAULT_PRIORITY = 0;

    /** The priority of what nobody waits for: objects that were there at the start, and resyncs. */
    public static final int LOW_PRIORITY = -100;

    /** How long a key waits if the rate limiter fails. */
    static final Duration DELAY_WHEN_LIMITER_FAILS = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    private final String name;
    private final RateLimiter<T> limiter;
    private final WorkQueueMetrics metrics;
    private final @Nullable Fairness<T> fairness;
    private final QueueCore<T> core;

    private WorkQueue(WorkQueueOptions<T> options) {
        this.name = options.name();
        this.limiter = options.rateLimiter();
        this.metrics = GuardedMetrics.of(name, options.metrics());
        this.fairness = options.fairness().orElse(null);
        this.core = new QueueCore<>(metrics, options.time(), new QueueState<>(options.aging(), fairness));
    }

    /** A queue without keys. */
    public static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
        WorkQueue<T> queue = new WorkQueue<>(options);
        options.time().onJump(queue.core::timeJumped);
        queue.metrics.unfinishedWork(() -> queue.core.look(QueueState::unfinishedNanos) / 1e9);
        queue.metrics.longestRunning(() -> queue.core.look(QueueState::longestRunningNanos) / 1e9);
        return queue;
    }

    /** The name given in the options. */
    public String name() {
        return name;
    }

    /** Adds a key with {@link #DEFAULT_PRIORITY}, as {@link #add(Object, int)} does. */
    public void add(T item) {
        add(item, DEFAULT_PRIORITY);
    }

    /** Adds a key that is ready now, even if it was delayed before. Ignored after shutdown. */
    public void add(T item, int priority) {
        put(item, 0, priority, false);
    }

    /**
     * Adds a key that is ready after a delay; zero or less means now. A key that is ready stays so; of two delays the
     * one that ends earlier counts. Ignored after shutdown.
     */
    public void addAfter(T item, Duration delay, int priority) {
        put(item, Nanos.of(delay), priority, false);
    }

    /**
     * Takes back a key that waits for a point in time, a retry included; its count of failures stays. A key that is ready
     * or being processed stays so.
     *
     * @return whether it waited for a point in time
     */
    public boolean cancel(T item) {
        int hash = EntryTable.hash(item);
        return core.look((state, now) -> state.cancel(item, hash));
    }

    /**
     * Tells how many workers take keys now; asked for only by {@link Fairness#share}, and unknown until it is told.
     *
     * @param workers not negative; 0 if unknown
     */
    public void setWorkers(int workers) {
        core.look((state, now) -> {
            state.workers(workers);
            return workers;
        });
    }

    /** Adds a key that failed for an unknown reason, as {@link #addRateLimited(Object, int, Throwable)} does. */
    public void addRateLimited(T item, int priority) {
        addRateLimited(item, priority, null);
    }

    /**
     * Adds a key that failed; it is ready after the delay the rate limiter asks for, and merges as with
     * {@link #addAfter}. If the limiter throws, the delay is one second. Ignored after shutdown: the failure is not
     * counted then.
     */
    public void addRateLimited(T item, int priority, @Nullable Throwable cause) {
        if (!core.isClosed()) {
            put(item, backoff(item, cause), priority, true);
        }
    }

    /**
     * Waits for a key and hands it out. The caller must call {@link #done} for it, whatever happens.
     *
     * @return the key, or null if the queue was shut down (and, if asked for, drained)
     * @throws InterruptedException if the thread is interrupted; no key is lost by it
     */
    public @Nullable WorkItem<T> take() throws InterruptedException {
        return handOut(core.take());
    }

    /**
     * Hands out a key if one is ready; does not wait. The caller must call {@link #done} for it, whatever happens.
     *
     * @return the key, or null if none is ready
     */
    public @Nullable WorkItem<T> poll() {
        return handOut(core.poll());
    }

    /**
     * Ends the processing of a key that was handed out: it can be handed out again, and is if it was added since. Does
     * nothing for a key that is not being processed.
     */
    public void done(T item) {
        long worked = core.done(item, EntryTable.hash(item));
        if (worked >= 0) {
            metrics.worked(worked);
        }
    }

    /** Tells the rate limiter that a key succeeded, or will not be tried again; does not touch the queue. */
    public void forget(T item) {
        limiter.forget(item);
    }

    /** The failures of a key counted by the rate limiter. */
    public int retries(T item) {
        return limiter.retries(item);
    }

    /**
     * Ends the queue: drops what waits, ignores what is added from now on, and lets every {@link #take} return null.
     * Keys being processed stay so until {@link #done}. Returns at once; further calls do nothing.
     */
    public void shutDown() {
        core.close(false);
    }

    /**
     * Ends the queue after its work: ignores what is added from now on, drops what is delayed, hands out what is ready,
     * and waits until all that is done. What is left after the timeout, or when the thread is interrupted, is dropped
     * as by {@link #shutDown}.
     *
     * @return whether all was done in time
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean shutDownWithDrain(Duration timeout) throws InterruptedException {
        core.close(true);
        try {
            return core.awaitFinished(Nanos.of(timeout));
        } finally {
            core.close(false);
        }
    }

    /** Whether the queue was told to shut down. */
    public boolean isShuttingDown() {
        return core.isClosed();
    }

    /** The number of ready keys, those included that were added again while being processed; not the delayed ones. */
    public int size() {
        return core.look((state, now) -> state.lanes().depth());
    }

    /** What the queue looks like now, with at most 100 keys in backoff. */
    public WorkQueueSnapshot<T> snapshot() {
        return snapshot(100);
    }

    /** What the queue looks like now, with at most so many keys in backoff. */
    public WorkQueueSnapshot<T> snapshot(int backoffLimit) {
        return core.look((state, now) -> Snapshots.readLocked(state, now, backoffLimit))
                .build(name, limiter, core.isClosed());
    }

    private void put(T item, long delay, int priority, boolean backoff) {
        Objects.requireNonNull(item, "'item' must not be null");
        Object group = fairness == null ? null : groupOf(item, fairness);
        boolean accepted = core.put(item, EntryTable.hash(item), group, delay, priority, backoff);
        if (accepted && delay > 0) {
            metrics.retried();
        }
    }

    private Object groupOf(T item, Fairness<T> groups) {
        Object group = groups.group().apply(item);
        return Objects.requireNonNull(group, "the group of a key must not be null");
    }

    private @Nullable Entry<T> handOut(@Nullable Entry<T> entry) {
        if (entry != null) {
            metrics.waited(entry.waitedNanos);
        }
        return entry;
    }

    private long backoff(T item, @Nullable Throwable cause) {
        try {
            return Nanos.of(limiter.next(item, cause));
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "The rate limiter of queue '{}' failed; the key is ready in {}", name, DELAY_WHEN_LIMITER_FAILS, e);
            return Nanos.of(DELAY_WHEN_LIMITER_FAILS);
        }
    }
}
