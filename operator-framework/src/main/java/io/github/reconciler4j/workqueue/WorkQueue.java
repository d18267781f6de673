package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of keys to work on. A key that is added several times before it is handed out is handed out once. A key that
 * was handed out is not handed out again until {@link #done} is called for it; if it was added in between, it is handed
 * out again afterwards, once. Keys of higher priority come first, those of the same priority in the order they became
 * ready; {@link Ageing} sees to it that low priorities are reached. A key that is added again keeps the higher priority
 * and the earlier time of the two; one whose priority rises goes behind the others of its new priority.
 *
 * <p>Keys need {@code equals} and {@code hashCode}. These must be quick and must not use the queue: {@code equals} is
 * called under its lock. All other foreign code (limiter, metrics, ticker, groups) is called without the lock. Adding
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
    private final Ticker ticker;
    private final @Nullable Fairness<T> fairness;

    /** Guards {@code state}, {@code takers}, {@code finished} and the writing of the volatile fields. */
    private final ReentrantLock lock = new ReentrantLock();

    private final QueueState<T> state;
    private final TakerGate takers;

    /** Signalled, in a closed queue in which nothing is ready, whenever that may have been the last running one. */
    private final Condition finished = lock.newCondition();

    private volatile boolean closed;

    /** Counts the jumps of the ticker: whoever read the time before a jump must read it again before waiting. */
    private volatile int jumps;

    private WorkQueue(WorkQueueOptions<T> options) {
        this.name = options.name();
        this.limiter = options.rateLimiter();
        this.metrics = GuardedMetrics.of(name, options.metrics());
        this.ticker = options.ticker();
        this.fairness = options.fairness().orElse(null);
        this.state = new QueueState<>(options.ageing(), fairness);
        this.takers = new TakerGate(lock.newCondition());
    }

    /** A queue without keys. */
    public static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
        WorkQueue<T> queue = new WorkQueue<>(options);
        queue.ticker.onJump(queue::timeJumped);
        queue.metrics.unfinishedWork(queue::unfinishedSeconds);
        queue.metrics.longestRunning(queue::longestRunningSeconds);
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
        if (!closed) {
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
        while (true) {
            int jumpsBefore = jumps;
            long now = ticker.nanos();
            Entry<T> entry;
            boolean ended;
            lock.lockInterruptibly();
            try {
                entry = nextLocked(now);
                ended = entry == null && endedLocked();
                if (entry == null && !ended && jumps == jumpsBefore) {
                    awaitLocked(now);
                }
            } finally {
                unlockAndReport();
            }
            if (entry != null) {
                metrics.waited(entry.waitedNanos);
            }
            if (entry != null || ended) {
                return entry;
            }
        }
    }

    /**
     * Hands out a key if one is ready; does not wait. The caller must call {@link #done} for it, whatever happens.
     *
     * @return the key, or null if none is ready
     */
    public @Nullable WorkItem<T> poll() {
        long now = ticker.nanos();
        Entry<T> entry;
        lock.lock();
        try {
            entry = nextLocked(now);
        } finally {
            unlockAndReport();
        }
        if (entry != null) {
            metrics.waited(entry.waitedNanos);
        }
        return entry;
    }

    /**
     * Ends the processing of a key that was handed out: it can be handed out again, and is if it was added since. Does
     * nothing for a key that is not being processed.
     */
    public void done(T item) {
        int hash = EntryTable.hash(item);
        long now = ticker.nanos();
        long worked;
        lock.lock();
        try {
            worked = state.done(item, hash, now);
        } finally {
            unlockAndReport();
        }
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
        lock.lock();
        try {
            closed = true;
            state.dropWaiting();
        } finally {
            unlockAndReport();
        }
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
        long begin = ticker.nanos();
        long length = Nanos.of(timeout);
        lock.lock();
        try {
            state.promote(begin);
            closed = true;
            state.dropDelayed();
        } finally {
            unlockAndReport();
        }
        try {
            return awaitFinished(begin, length);
        } finally {
            shutDown();
        }
    }

    /** Whether the queue was told to shut down. */
    public boolean isShuttingDown() {
        return closed;
    }

    /** The number of ready keys, those included that were added again while being processed; not the delayed ones. */
    public int size() {
        long now = ticker.nanos();
        lock.lock();
        try {
            state.promote(now);
            return state.lanes().depth();
        } finally {
            unlockAndReport();
        }
    }

    /** What the queue looks like now, with at most 100 keys in backoff. */
    public WorkQueueSnapshot<T> snapshot() {
        return snapshot(100);
    }

    /** What the queue looks like now, with at most so many keys in backoff. */
    public WorkQueueSnapshot<T> snapshot(int backoffLimit) {
        long now = ticker.nanos();
        Snapshots<T> snapshot = new Snapshots<>(name, now);
        lock.lock();
        try {
            state.promote(now);
            snapshot.readLocked(state, backoffLimit, closed);
        } finally {
            unlockAndReport();
        }
        return snapshot.build(limiter);
    }

    private void put(T item, long delay, int priority, boolean inBackoff) {
        Objects.requireNonNull(item, "'item' must not be null");
        int hash = EntryTable.hash(item);
        Object group = fairness == null ? null : fairness.group().apply(item);
        if (fairness != null && group == null) {
            throw new NullPointerException("the group of a key must not be null");
        }
        long now = ticker.nanos();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            putLocked(state.entry(item, hash, group), now, delay, priority, inBackoff);
        } finally {
            unlockAndReport();
        }
        if (delay > 0) {
            metrics.retried();
        }
    }

    private void putLocked(Entry<T> entry, long now, long delay, int priority, boolean inBackoff) {
        state.promote(now);
        if (delay == 0) {
            state.makeReady(entry, priority, now);
            return;
        }
        boolean moved = state.delay(entry, priority, now + delay, inBackoff, now);
        if (moved && state.delays().first() == entry) {
            takers.depose();
        }
    }

    private @Nullable Entry<T> nextLocked(long now) {
        state.promote(now);
        return state.poll(now);
    }

    private void awaitLocked(long now) throws InterruptedException {
        Entry<T> first = state.delays().first();
        takers.await(first == null ? TakerGate.NEVER : first.time - now);
    }

    /** Whether no key will ever be handed out again. */
    private boolean endedLocked() {
        return closed && state.lanes().depth() == 0;
    }

    private boolean awaitFinished(long begin, long length) throws InterruptedException {
        while (true) {
            int jumpsBefore = jumps;
            long left = length - (ticker.nanos() - begin);
            lock.lockInterruptibly();
            try {
                if (state.size() == 0) {
                    return true;
                }
                if (left <= 0) {
                    return false;
                }
                if (jumps == jumpsBefore) {
                    finished.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Leaves the lock, having passed on what there is to do, and tells the metrics what happened under it. */
    private void unlockAndReport() {
        if (state.hasNext() || takers.lacksLeader() && !state.delays().isEmpty()) {
            takers.wakeOne();
        } else if (endedLocked()) {
            takers.wakeAll();
            finished.signalAll();
        }
        int added = state.takeBecameReady();
        List<String> labels = state.takeFreshLabels();
        lock.unlock();
        if (labels != null) {
            labels.forEach(label -> metrics.depth(label, () -> depth(label)));
        }
        if (added > 0) {
            metrics.added(added);
        }
    }

    private void timeJumped() {
        lock.lock();
        try {
            jumps++;
            takers.wakeAll();
            finished.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long backoff(T item, @Nullable Throwable cause) {
        try {
            return Nanos.of(limiter.next(item, cause));
        } catch (RuntimeException e) {
            LOG.error("The rate limiter of queue '{}' failed; trying again in {}", name, DELAY_WHEN_LIMITER_FAILS, e);
            return Nanos.of(DELAY_WHEN_LIMITER_FAILS);
        }
    }

    private int depth(String label) {
        long now = ticker.nanos();
        int[] depth = {0};
        lock.lock();
        try {
            state.promote(now);
            state.lanes()
                    .forEach(lane -> depth[0] += state.labelOf(lane.priority).equals(label) ? lane.depth() : 0);
        } finally {
            unlockAndReport();
        }
        return depth[0];
    }

    private double unfinishedSeconds() {
        long now = ticker.nanos();
        double seconds = 0;
        lock.lock();
        try {
            for (Entry<T> entry = state.running().first(); entry != null; entry = entry.next) {
                seconds += Math.max(0, now - entry.startedAt) / 1e9;
            }
        } finally {
            lock.unlock();
        }
        return seconds;
    }

    private double longestRunningSeconds() {
        long now = ticker.nanos();
        lock.lock();
        try {
            Entry<T> entry = state.running().first();
            return entry == null ? 0 : Math.max(0, now - entry.startedAt) / 1e9;
        } finally {
            lock.unlock();
        }
    }
}
