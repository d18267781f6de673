package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.internal.UserCall;
import io.github.reconciler4j.workqueue.Entry.EntryTable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of keys to process. A key that is added several times before it is dequeued is dequeued once. A key that was
 * dequeued is not dequeued again until {@link #done} is called for it; if it was added in between, it is dequeued again
 * afterwards. Keys of higher priority come first, those of the same priority in the order they became ready;
 * {@link PriorityAging} keeps low priorities from starving. A key that is added again keeps the higher priority and the
 * earlier time of the two; one whose priority rises goes behind the others of its new priority.
 *
 * <p>Keys need {@code equals} and {@code hashCode}, which must be fast and must not use the queue. Adding never waits for
 * workers. Thread-safe, with platform and virtual threads.
 *
 * <!-- snippet: OrderWorker -->
 * <pre>{@code
 * for (WorkItem<String> work = queue.take(); work != null; work = queue.take()) {
 *     String key = work.item();
 *     try {
 *         orders.accept(key);
 *         queue.forget(key); // resets the count of failures
 *     } catch (RuntimeException e) {
 *         queue.addRateLimited(key, work.priority(), e); // the rate limiter chooses the delay
 *     } finally {
 *         queue.done(key); // always
 *     }
 * }
 * }</pre>
 *
 * <h2>Design</h2>
 *
 * <p><b>Layers.</b> This class is the API: it computes hashes and groups, calls the rate limiter, and reports waits to the
 * metrics. {@link QueueCore} has the lock and the waiting threads. {@link QueueState} is the sequential state machine of
 * keys; it knows neither threads nor the clock. {@link Lanes} chooses among the ready keys, {@link FairLane} among groups
 * of keys of one priority, and two heaps order the delayed keys by time.
 *
 * <p><b>States of a key.</b> A key is running or not, and independently waits for nothing, is ready, or is delayed. A key
 * that is neither running nor waiting has no entry. Each operation is one transition:
 *
 * <pre>
 *              add              addAfter, addRateLimited    time passes    take       done
 * unknown      ready            delayed                     -              -          -
 * delayed      ready            delayed, earlier time       ready          -          -
 * ready        ready            ready                       -              running    -
 * running      running+ready    running+delayed             -              -          unknown
 * run.+ready   unchanged        unchanged                   -              -          ready
 * run.+delayed running+ready    earlier time                running+ready  -          delayed
 * </pre>
 *
 * In every row of {@code add}, the higher of the two priorities counts. From this follow the guarantees: no key is lost,
 * none runs twice at the same time, and none is dequeued more often than it was added.
 *
 * <p><b>One lock.</b> One lock guards the whole state, because each operation touches several structures (table, lane,
 * heap) that must agree, and is short. No foreign code runs under it except {@code equals} of keys, and {@code equals} and
 * {@code hashCode} of groups: the hash and group of a key are computed before, the limiter is called before, the metrics
 * are called after, and gauges take the lock for a moment themselves. No other lock is taken under it, so it can be taken
 * under any other.
 *
 * <p><b>Happens-before.</b> What a thread does before it adds a key is visible to the worker that takes the key, and what a
 * worker does before {@code done} is visible to the next worker of the key, because all of them pass through the lock. A
 * key that is added while it is ready was not yet taken; the worker that will take it gets the lock later, and sees what
 * the adder did. So a reconciler that starts after an event was enqueued sees the cache as of that event or newer.
 *
 * <p><b>Memory.</b> The entry of a key is itself the node of the hash table, of the list of its lane and of the heap it is
 * in. A key costs one object, adding, taking and finishing it allocate nothing else, and removal from the middle of a list
 * or heap costs O(1) or O(log n). See {@link EntryTable} for what the collections of the JDK cost instead.
 *
 * <p><b>Time without a timer.</b> There is no timer thread. Due keys are made ready by whichever thread next enters the
 * lock. Among the threads that wait in {@code take}, one is the leader, which waits for the next due time; the others wait
 * without a time. A thread that adds an earlier time deposes the leader and wakes another thread to lead; a leader that
 * leaves with a key wakes a successor if delayed keys remain. So at least one waiting thread always waits for the next due
 * time. The clock is read before the lock is taken, so that a slow clock does not extend the critical section; the state
 * therefore never assumes that times grow from one operation to the next.
 *
 * <p><b>Wake-ups.</b> At most one woken thread is on its way to the lock. When it gets there it takes a key and, if there
 * are more, wakes the next before it leaves. A burst of adds thus wakes workers one after the other and only as many as find
 * work, instead of all of them for keys that one worker processes alone; and no wake-up is lost, because every thread that
 * leaves the lock repeats the check.
 *
 * <p><b>Priorities and fairness.</b> Each priority has a lane. Choosing is linear in the number of lanes, of which there are
 * few. Aging gives every n-th dequeue to a lane that has had keys for a while, so the delay of low priorities is bounded in
 * dequeues and not in time, under any load. Groups exist within a lane only: a lane keeps its groups in a heap by the
 * number of their running keys, which changes when a key is taken or done and then moves the group in each of its lanes.
 *
 * <p><b>Shutdown.</b> A closed queue accepts nothing. Without drain it drops what waits and lets {@code take} return null
 * at once; with drain it drops what is delayed and lets {@code take} return null when nothing is ready. Running keys stay
 * running until {@code done} in both cases.
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public final class WorkQueue<T> {

    /** The priority of changes. */
    public static final int DEFAULT_PRIORITY = 0;

    /** The priority of objects of the initial list and of resyncs, which are not urgent. */
    public static final int LOW_PRIORITY = -100;

    /** How long a key waits if the rate limiter fails. */
    static final Duration DELAY_WHEN_LIMITER_FAILS = Duration.ofSeconds(1);

    /** The group of keys whose group could not be determined. */
    private static final Object UNKNOWN_GROUP = new Object();

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    private final String name;
    private final RateLimiter<T> limiter;
    private final WorkQueueMetrics metrics;
    private final @Nullable Fairness<T> fairness;
    private final LogLimiter failures = new LogLimiter();
    private final QueueCore<T> core;

    private WorkQueue(WorkQueueOptions<T> options) {
        this.name = options.name();
        this.limiter = options.rateLimiter();
        this.metrics = GuardedQueueMetrics.of(name, options.metrics());
        this.fairness = options.fairness().orElse(null);
        this.core = new QueueCore<>(metrics, options.timeSource(), new QueueState<>(options.aging(), fairness));
    }

    /** Create an empty queue. */
    public static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
        WorkQueue<T> queue = new WorkQueue<>(options);
        options.timeSource().onJump(queue.core::timeJumped);
        queue.metrics.unfinishedWork(() -> queue.core.access(QueueState::unfinishedNanos) / 1e9);
        queue.metrics.longestRunning(() -> queue.core.access(QueueState::longestRunningNanos) / 1e9);
        return queue;
    }

    /** Return the name in logs and metrics. */
    public String name() {
        return name;
    }

    /** Add a key with {@link #DEFAULT_PRIORITY}; see {@link #add(Object, int)}. */
    public void add(T item) {
        add(item, DEFAULT_PRIORITY);
    }

    /** Add a key that is ready now, even if it was delayed before. Ignored after shutdown. */
    public void add(T item, int priority) {
        put(item, 0, priority, false);
    }

    /**
     * Add a key that is ready after a delay; zero or less means now. A key that is ready stays ready; of two delays the one
     * that ends earlier counts. Ignored after shutdown.
     */
    public void addAfter(T item, Duration delay, int priority) {
        put(item, Nanos.of(delay), priority, false);
    }

    /**
     * Cancel the delay of a key, including that of a retry. Its count of failures stays. A key that is ready or being
     * processed is not changed.
     *
     * @return whether it was delayed
     */
    public boolean cancel(T item) {
        int hash = EntryTable.hash(item);
        return core.access((state, now) -> state.cancel(item, hash));
    }

    /**
     * Remove a key that waits, ready or delayed, and reset its count of failures. A key that is being processed stays so until
     * {@link #done}, and is not processed again unless it is added again.
     */
    public void remove(T item) {
        int hash = EntryTable.hash(item);
        core.access((state, now) -> state.remove(item, hash));
        forget(item);
    }

    /** Return a copy of the keys that wait, ready or delayed, in no particular order. */
    public List<T> waiting() {
        return core.access((state, now) -> state.waiting());
    }

    /**
     * Set the number of workers that take keys. Only {@link Fairness#share} needs it, and has no effect before this is
     * called.
     *
     * @param workers not negative; 0 if it is not known
     */
    public void setWorkers(int workers) {
        core.access((state, now) -> {
            state.workers(workers);
            return workers;
        });
    }

    /** Add a key that failed for an unknown reason; see {@link #addRateLimited(Object, int, Throwable)}. */
    public void addRateLimited(T item, int priority) {
        addRateLimited(item, priority, null);
    }

    /**
     * Add a key that failed. It is ready after the delay that the rate limiter returns, and is coalesced as by
     * {@link #addAfter}. If the limiter throws, the delay is one second. Ignored after shutdown: the failure is not counted
     * then.
     */
    public void addRateLimited(T item, int priority, @Nullable Throwable cause) {
        if (!core.isClosed()) {
            put(item, backoff(item, cause), priority, true);
        }
    }

    /**
     * Wait for a key and dequeue it. The caller must always call {@link #done} for it.
     *
     * @return the key, or null if the queue was shut down (and, with drain, nothing is ready)
     * @throws InterruptedException if the thread is interrupted; no key is lost
     */
    public @Nullable WorkItem<T> take() throws InterruptedException {
        return report(core.take());
    }

    /**
     * Dequeue a key if one is ready, without waiting. The caller must always call {@link #done} for it.
     *
     * @return the key, or null if none is ready
     */
    public @Nullable WorkItem<T> poll() {
        return report(core.poll());
    }

    /**
     * End the processing of a dequeued key. It can be dequeued again, and is if it was added since. Does nothing for a key
     * that is not being processed.
     */
    public void done(T item) {
        long worked = core.done(item, EntryTable.hash(item));
        if (worked >= 0) {
            metrics.worked(worked);
        }
    }

    /**
     * End the processing of a key that was dequeued as this item. Calls no code of the key, so it also works for one whose
     * {@code hashCode} or {@code equals} fails or has changed.
     */
    public void done(WorkItem<T> work) {
        long worked = core.done(work.item(), hash(work));
        if (worked >= 0) {
            metrics.worked(worked);
        }
    }

    /** Add a dequeued key again after a delay, as {@link #addAfter(Object, Duration, int)} does, but without code of the key. */
    public void addAfter(WorkItem<T> work, Duration delay, int priority) {
        Object group = fairness == null ? null : UNKNOWN_GROUP; // of a key that is being processed, the group is known
        if (core.put(work.item(), hash(work), group, Nanos.of(delay), priority, false)) {
            metrics.retried();
        }
    }

    private static int hash(WorkItem<?> work) {
        return work instanceof Entry<?> entry ? entry.hash : EntryTable.hash(work.item());
    }

    /** Reset the count of failures of a key, because it succeeded or will not be retried. Does not change the queue. */
    public void forget(T item) {
        UserCall call = UserCall.enter(UserCall.Kind.RATE_LIMITER, name, item);
        try {
            limiter.forget(item);
        } finally {
            call.exit();
        }
    }

    /** Return the failures of a key that the rate limiter has counted. */
    public int retries(T item) {
        UserCall call = UserCall.enter(UserCall.Kind.RATE_LIMITER, name, item);
        try {
            return limiter.retries(item);
        } finally {
            call.exit();
        }
    }

    /**
     * Shut the queue down: drop what waits, ignore what is added from now on, and let every {@link #take} return null. Keys
     * being processed stay so until {@link #done}. Returns at once; further calls do nothing.
     */
    public void shutDown() {
        core.close(false);
    }

    /**
     * Shut the queue down after its work: ignore what is added from now on, drop what is delayed, let workers dequeue what
     * is ready, and wait until all of it is done. What is left after the timeout, or when the thread is interrupted, is
     * dropped as by {@link #shutDown}.
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

    /** Return whether the queue was shut down. */
    public boolean isShuttingDown() {
        return core.isClosed();
    }

    /** Return the number of ready keys, including those added again while being processed, but not the delayed ones. */
    public int size() {
        return core.access((state, now) -> state.lanes().depth());
    }

    /** Return where a key is; empty if it neither waits nor is being processed. */
    public Optional<WorkQueueSnapshot.Position> find(T item) {
        int hash = EntryTable.hash(item);
        return core.access((state, now) -> state.find(item, hash, now));
    }

    /** Return a snapshot with at most 100 keys in backoff. */
    public WorkQueueSnapshot<T> snapshot() {
        return snapshot(100);
    }

    /**
     * Return a snapshot with at most so many keys in backoff.
     *
     * @throws IllegalArgumentException if the limit is negative
     */
    public WorkQueueSnapshot<T> snapshot(int backoffLimit) {
        if (backoffLimit < 0) {
            throw new IllegalArgumentException("'backoffLimit' must not be negative, was " + backoffLimit);
        }
        return core.access((state, now) -> new WorkQueueSnapshot.Reading<>(state, now, backoffLimit))
                .build(name, limiter, core.isClosed());
    }

    private void put(T item, long delay, int priority, boolean backoff) {
        Objects.requireNonNull(item, "'item' must not be null");
        Object group = fairness == null ? null : groupOf(item, fairness);
        boolean accepted = core.put(item, EntryTable.hash(item), group, delay, priority, backoff);
        if (accepted && (delay > 0 || backoff)) {
            metrics.retried();
        }
    }

    /** A key whose group cannot be determined must not get lost: such keys share a group. */
    private Object groupOf(T item, Fairness<T> groups) {
        UserCall call = UserCall.enter(UserCall.Kind.FAIRNESS, name, item);
        try {
            Object group = groups.group().apply(item);
            return Objects.requireNonNull(group, "The group of a key must not be null");
        } catch (Throwable e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.error(
                            "The fairness of queue '{}' failed to return the group of a key; such keys share a group{}",
                            name,
                            occurrence.suffix(e),
                            occurrence.trace(e)));
            return UNKNOWN_GROUP;
        } finally {
            call.exit();
        }
    }

    private @Nullable Entry<T> report(@Nullable Entry<T> entry) {
        if (entry != null) {
            metrics.waited(entry.waitedNanos);
        }
        return entry;
    }

    private long backoff(T item, @Nullable Throwable cause) {
        UserCall call = UserCall.enter(UserCall.Kind.RATE_LIMITER, name, item);
        try {
            return Nanos.of(limiter.next(item, cause));
        } catch (Throwable e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.error(
                            "The rate limiter of queue '{}' failed; the key is ready in {}{}",
                            name,
                            DELAY_WHEN_LIMITER_FAILS,
                            occurrence.suffix(e),
                            occurrence.trace(e)));
            return Nanos.of(DELAY_WHEN_LIMITER_FAILS);
        } finally {
            call.exit();
        }
    }
}
