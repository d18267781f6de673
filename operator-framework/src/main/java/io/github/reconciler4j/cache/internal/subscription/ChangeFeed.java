package io.github.reconciler4j.cache.internal.subscription;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.ObjectStore.TermFunction;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes into the store of a kind and delivers them to its subscriptions.
 *
 * <h2>What it guarantees</h2>
 *
 * <p>A subscription sees, for each object, a sequence of states that starts with the state in the store when it was added
 * and follows the order in which the store changed. It misses no object, sees no creation twice, and never sees an update
 * of an object that it does not know:
 *
 * <ol>
 *   <li>Applying a batch to the store and offering it to the queues is one step under {@code lock}. Adding a subscription
 *       (offering everything that is stored, then joining the list) is one step under the same lock. So every change is
 *       either part of what the subscription finds, or is offered to it, and never both.
 *   <li>Changes are applied in the order in which writers take the lock, and offered in that order. A queue keeps the
 *       order per object; between objects there is no order that a listener could rely on, because changes that wait for
 *       one object are coalesced.
 *   <li>What a listener can read meanwhile is never older than what it is delivered: the store has a change before any
 *       queue has it.
 * </ol>
 *
 * <h2>Writers</h2>
 *
 * <p>The reflectors of a kind write, one per scope, and the thread that ends scopes. Scopes do not overlap, so two writers never
 * write the same object. A writer works in three steps: compute the terms of the new states in all indexes, which runs
 * code of users and therefore holds no lock; take {@code lock}; apply and offer, unless an index was added since, in which
 * case the writer starts over. An index can only be added under {@code lock} as well, and only a handful ever is, so this
 * ends.
 *
 * <p>An index that is added takes the same care: it is registered under {@code lock}, so that every later change has terms
 * for it, and what is stored at that moment is remembered. The terms of that are computed under no lock and added to the
 * index afterwards, except for entries that have changed since. Only then can the index be used.
 *
 * <h2>Bodies</h2>
 *
 * <p>A kind can be watched as metadata only, until a user needs bodies; then it is listed again with bodies
 * ({@code Change.Type.BODY} replaces an entry without a body by one with it). A subscription that needs bodies does not see
 * objects without: {@link Change#seen} turns the arrival of a body into a creation for it. A subscription of metadata does
 * not see the arrival at all, because nothing that it can read has changed.
 *
 * <h2>The initial state</h2>
 *
 * <p>{@code complete} says that the initial lists of all scopes were written, {@code bodiesComplete} that all scopes were
 * listed with bodies. From then on a queue can report that everything initial was delivered. Both are set under {@code
 * lock}, after the last list was offered, so a queue that knows of the end has all of it.
 *
 * <h2>Lock order and happens-before</h2>
 *
 * <p>{@code lock} is taken inside the locks of {@code WatchedKind} and {@code KindStore}, and the locks of {@link ObjectStore}
 * and {@link SubscriptionQueue} are taken inside it. No code of users runs under it: listeners are called by the threads of
 * the subscriptions, index functions before it is taken. Reads of the cache never take it. An entry is immutable and safely
 * published, to readers by the concurrent map and the lock of the store, to listeners by the lock of their queue.
 *
 * <h2>Why not deliver outside of the lock</h2>
 *
 * <p>Offering is cheap: a map operation per subscription. Offering after the lock is released would need sequence numbers
 * in the queues to restore the order, and would allow a subscription that is added in between to see a change twice.
 *
 * @since 0.1.0
 */
public final class ChangeFeed {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final double RESYNC_JITTER = 0.1;

    private final ObjectStore store;
    private final Duration resyncInterval;
    private final ScheduledExecutorService timer;
    private final LogLimiter failures = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();
    /** Changed under the lock; gauges read it without. */
    private final List<DefaultSubscription<?>> subscriptions = new CopyOnWriteArrayList<>();

    @GuardedBy("lock")
    private boolean complete;

    @GuardedBy("lock")
    private boolean bodiesComplete;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private @Nullable Future<?> nextResync;

    /**
     * Create a feed into a store.
     *
     * @param resyncInterval how often to deliver everything again; never if zero
     * @param timer runs resyncs
     */
    public ChangeFeed(ObjectStore store, Duration resyncInterval, ScheduledExecutorService timer) {
        this.store = store;
        this.resyncInterval = resyncInterval;
        this.timer = timer;
    }

    /** Return how long the oldest change has been waiting in any subscription, in seconds; 0 if none waits. */
    public double lagSeconds() {
        double longest = 0;
        for (DefaultSubscription<?> subscription : subscriptions) {
            longest = Math.max(longest, subscription.queue().lagSeconds());
        }
        return longest;
    }

    /** Return how many objects have changes that a subscription has not delivered yet, of all subscriptions. */
    public int undelivered() {
        int waiting = 0;
        for (DefaultSubscription<?> subscription : subscriptions) {
            waiting += subscription.queue().depth();
        }
        return waiting;
    }

    /** Write changes into the store, all at once for its readers, and deliver them. Runs code of users under no lock. */
    public void write(List<Change> changes) {
        write(changes, () -> {});
    }

    /**
     * Write changes into the store, all at once for its readers, and deliver them. Runs code of users under no lock.
     *
     * @param stored runs once under the lock, when the store has the changes and no queue does; must not block
     */
    public void write(List<Change> changes, Runnable stored) {
        boolean written = changes.isEmpty();
        if (written) {
            stored.run();
        }
        while (!written) {
            store.prepare(changes);
            lock.lock();
            try {
                written = store.isPrepared(changes);
                if (written) {
                    store.apply(changes);
                    stored.run();
                    offer(changes);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @GuardedBy("lock")
    private void offer(List<Change> changes) {
        for (DefaultSubscription<?> subscription : subscriptions) {
            for (Change change : changes) {
                subscription.offer(change);
            }
        }
    }

    /**
     * Record that the initial state was written.
     *
     * @param bodies whether with bodies
     */
    public void initialWritten(boolean bodies) {
        lock.lock();
        try {
            complete = true;
            bodiesComplete |= bodies;
            subscriptions.forEach(this::checkInitial);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void checkInitial(DefaultSubscription<?> subscription) {
        if (complete && (bodiesComplete || !subscription.needsBodies())) {
            subscription.queue().initialOffered();
        }
    }

    /** Start to deliver everything again once per resync interval. */
    public void startResync() {
        lock.lock();
        try {
            scheduleResync();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void scheduleResync() {
        if (resyncInterval.isZero() || closed || timer.isShutdown()) {
            return;
        }
        double jitter = 1 + ThreadLocalRandom.current().nextDouble(RESYNC_JITTER);
        long nanos = Math.min(Nanos.MAX, (long) (Nanos.of(resyncInterval) * jitter));
        nextResync = timer.scheduleWithFixedDelay(this::tryResync, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** What the task of a timer throws would end it. */
    private void tryResync() {
        try {
            resync();
        } catch (Throwable e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.error(
                            "A resync failed; the next one follows{}", occurrence.suffix(e), occurrence.trace(e)));
        }
    }

    private void resync() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            for (Entry entry : store.list("")) {
                Change change = Change.resync(entry);
                subscriptions.forEach(subscription -> subscription.offer(change));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Start a subscription with the present state. */
    void add(DefaultSubscription<?> subscription) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The cache is closed");
            }
            for (Entry entry : store.list("")) {
                subscription.offer(Change.created(entry, true));
            }
            checkInitial(subscription);
            subscriptions.add(subscription);
        } finally {
            lock.unlock();
        }
    }

    void remove(DefaultSubscription<?> subscription) {
        lock.lock();
        try {
            subscriptions.remove(subscription);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Add an index over what is stored and what is written later; it can be used once this returns. Runs code of the user
     * under no lock.
     *
     * @return false if there is an index of that name already
     */
    public boolean addIndexIfAbsent(String name, TermFunction function) {
        List<Entry> present;
        lock.lock();
        try {
            if (!store.register(name, function)) {
                return false;
            }
            present = store.list("");
        } finally {
            lock.unlock();
        }
        store.complete(name, present);
        return true;
    }

    /** Deliver nothing any more, not even a resync. */
    public void stop() {
        lock.lock();
        try {
            closed = true;
            if (nextResync != null) {
                nextResync.cancel(false); // or the timer would keep the store in memory
            }
        } finally {
            lock.unlock();
        }
    }

    /** End all subscriptions and wait for their threads. */
    public void close() {
        stop();
        subscriptions.forEach(DefaultSubscription::close);
    }
}
