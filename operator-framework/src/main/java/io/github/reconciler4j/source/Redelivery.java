package io.github.reconciler4j.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Departed;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events to a handler, and delivers those again for which the handler failed, so that a mapper that reads
 * something and temporarily cannot loses no change.
 *
 * <p>An object whose change failed is <em>pending</em>. Its further changes are coalesced with the failed one and are
 * delivered by the redelivery thread alone, so the changes of one object never overtake each other and the last delivered
 * state is the newest. Each attempt that fails doubles the delay to the next, from 1 s to 1 min; a further change causes an
 * attempt at once. An object stays pending until the handler succeeds. Memory is bounded by the number of objects, except
 * for deleted ones: of these, at most 10,000 are kept, and a log line says that others were dropped.
 *
 * <p>An object that does not fit its class is logged and not delivered again: only a change can fix it, and that is a new
 * event.
 *
 * <p>The thread exists only after a failure, and is replaced if it dies. {@code lock} guards the pending objects; no handler is called under it.
 * Thread-safe, but {@link #deliver} must not be called by two threads at the same time.
 *
 * @param <T> the class of the objects
 */
final class Redelivery<T> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KindSource.class);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    private static final double JITTER = 0.2;
    private static final int MAX_DELETED = 10_000;

    private final String name;
    private final Consumer<ObjectEvent<T>> delivery;
    private final WorkQueue<ObjectKey> queue;
    private final LogLimiter failures = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectKey, Pending<T>> pending = new LinkedHashMap<>();

    /** How many pending objects are deleted. */
    @GuardedBy("lock")
    private int deleted;

    /** Started when the first change fails. */
    @GuardedBy("lock")
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Create a redelivery.
     *
     * @param name the names of the controller and the source, for logs
     * @param delivery calls the predicate and the handler
     */
    Redelivery(String name, Consumer<ObjectEvent<T>> delivery) {
        this(name, delivery, FIRST_DELAY, MAX_DELAY);
    }

    Redelivery(String name, Consumer<ObjectEvent<T>> delivery, Duration firstDelay, Duration maxDelay) {
        this.name = name;
        this.delivery = delivery;
        this.queue = WorkQueue.create(WorkQueueOptions.<ObjectKey>defaults(name)
                .withRateLimiter(RateLimiters.exponential(firstDelay, maxDelay, JITTER)));
    }

    /** Deliver an event now, and later again if that fails. Never throws. Forgets an object that departed. */
    void deliver(ObjectEvent<T> event) {
        ObjectKey key = event.snapshot().key();
        if (event instanceof Departed<T>) {
            forget(key);
            return;
        }
        try {
            if (addIfPending(event)) {
                queue.add(key);
            } else if (!tryDeliver(event) && keep(event)) {
                queue.addRateLimited(key, WorkQueue.DEFAULT_PRIORITY);
            }
        } catch (Throwable e) { // of this class, as when memory is exhausted
            if (addIfPending(event) || keep(event)) {
                queue.addAfter(key, FIRST_DELAY, WorkQueue.DEFAULT_PRIORITY);
            }
        }
    }

    private void forget(ObjectKey key) {
        lock.lock();
        try {
            Pending<T> departed = pending.remove(key);
            deleted -= departed != null && departed.isDeleted() ? 1 : 0;
        } finally {
            lock.unlock();
        }
        queue.cancel(key);
    }

    /** Return the number of pending objects. */
    int size() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    /** Return false if pending objects are not delivered again because the thread has died. */
    boolean isAlive() {
        lock.lock();
        try {
            return closed || pending.isEmpty() || thread != null && Threads.isAlive(thread);
        } finally {
            lock.unlock();
        }
    }

    /** Call the handler, and return whether there is nothing to deliver again. */
    private boolean tryDeliver(ObjectEvent<T> event) {
        try {
            delivery.accept(event);
            return true;
        } catch (UndecodableObjectException e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "{} cannot decode {}, so it enqueues nothing for it: {}{}",
                            name,
                            describe(event),
                            Causes.message(e),
                            occurrence.suffix()));
            return true;
        } catch (Throwable e) {
            failures.log(LogLimiter.cause(e), occurrence -> {
                if (occurrence.first()) {
                    LOG.error(
                            "{} failed on {}; the change is kept and delivered again",
                            name,
                            describe(event),
                            Causes.loggable(e));
                } else {
                    LOG.warn("{} failed on {}: {}{}", name, describe(event), Texts.of(e), occurrence.suffix());
                }
            });
            return false;
        }
    }

    /** Coalesce an event with the failed changes of its object; return whether there are any. */
    private boolean addIfPending(ObjectEvent<T> event) {
        boolean dropped;
        lock.lock();
        try {
            Pending<T> changes = pending.get(event.snapshot().key());
            if (changes == null) {
                return false;
            }
            boolean before = changes.isDeleted();
            changes.add(event);
            deleted += (changes.isDeleted() ? 1 : 0) - (before ? 1 : 0);
            dropped = dropDeleted();
            startThread();
        } finally {
            lock.unlock();
        }
        reportDropped(dropped);
        return true;
    }

    /** Keep an event that failed; return false if this is closed. */
    private boolean keep(ObjectEvent<T> event) {
        boolean dropped;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            Pending<T> changes = new Pending<>(event);
            pending.put(event.snapshot().key(), changes);
            deleted += changes.isDeleted() ? 1 : 0;
            dropped = dropDeleted();
            startThread();
        } finally {
            lock.unlock();
        }
        reportDropped(dropped);
        return true;
    }

    /** Start the thread, or replace it if an error has ended it. */
    @GuardedBy("lock")
    private void startThread() {
        if (!closed && (thread == null || !Threads.isAlive(thread))) {
            Thread starting = Threads.daemon("source-" + name + "-redelivery", this::retryAll);
            starting.start();
            thread = starting;
        }
    }

    /** Drop the oldest deletion if there are too many, and return whether there were. */
    @GuardedBy("lock")
    private boolean dropDeleted() {
        if (deleted <= MAX_DELETED) {
            return false;
        }
        Iterator<Pending<T>> oldestFirst = pending.values().iterator();
        while (oldestFirst.hasNext()) {
            if (oldestFirst.next().isDeleted()) {
                oldestFirst.remove();
                deleted--;
                return true;
            }
        }
        return false;
    }

    private void reportDropped(boolean dropped) {
        if (dropped) {
            failures.log(
                    "dropped",
                    occurrence -> LOG.error(
                            "{} failed on more than {} deletions and has dropped the oldest; what they should have led to"
                                    + " must be done by hand (R4J-116){}",
                            name,
                            MAX_DELETED,
                            occurrence.suffix()));
        }
    }

    private void retryAll() {
        Threads.repeat(
                this::retryNext,
                failure -> failures.log(
                        LogLimiter.cause(failure),
                        occurrence -> LOG.error(
                                "The redelivery of {} failed and continues{}",
                                name,
                                occurrence.suffix(failure),
                                occurrence.trace(failure))));
    }

    private boolean retryNext() throws InterruptedException {
        WorkItem<ObjectKey> item = queue.take();
        if (item == null) {
            return false;
        }
        try {
            retry(item.item());
        } catch (Throwable e) {
            queue.addRateLimited(item.item(), WorkQueue.DEFAULT_PRIORITY);
            throw e;
        } finally {
            queue.done(item.item());
        }
        return true;
    }

    private void retry(ObjectKey key) {
        List<ObjectEvent<T>> events = events(key);
        boolean delivered = true;
        for (ObjectEvent<T> event : events) {
            delivered = delivered && tryDeliver(event);
        }
        if (!delivered) {
            queue.addRateLimited(key, WorkQueue.DEFAULT_PRIORITY);
        } else if (removeUnlessChanged(key, events)) {
            queue.forget(key);
        } else {
            queue.add(key);
        }
    }

    private List<ObjectEvent<T>> events(ObjectKey key) {
        lock.lock();
        try {
            Pending<T> changes = pending.get(key);
            return changes == null ? List.of() : changes.events;
        } finally {
            lock.unlock();
        }
    }

    /** Return false if a change was added since its events were read. */
    private boolean removeUnlessChanged(ObjectKey key, List<ObjectEvent<T>> delivered) {
        lock.lock();
        try {
            Pending<T> changes = pending.get(key);
            if (changes != null && changes.events != delivered) {
                return false;
            }
            if (changes != null) {
                pending.remove(key);
                deleted -= changes.isDeleted() ? 1 : 0;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static String describe(ObjectEvent<?> event) {
        return event.getClass().getSimpleName() + " " + event.snapshot().key();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            pending.clear();
            queue.shutDown();
        } finally {
            lock.unlock();
        }
    }

    /** The coalesced changes of one object, of which none has been delivered; guarded by the lock of the redelivery. */
    private static final class Pending<T> {

        private static final int MAX_EVENTS = 8;

        /** Replaced, never changed. */
        private List<ObjectEvent<T>> events;

        Pending(ObjectEvent<T> event) {
            events = List.of(event);
        }

        boolean isDeleted() {
            return events.get(events.size() - 1) instanceof Deleted<?>;
        }

        /** Add a change; the state in between is dropped if the handler can do without it. */
        void add(ObjectEvent<T> next) {
            List<ObjectEvent<T>> all = new ArrayList<>(events);
            ObjectEvent<T> last = all.remove(all.size() - 1);
            if (last instanceof Created<T> created && next instanceof Updated<T>) {
                all.add(new Created<>(next.snapshot(), created.initial()));
            } else if (last instanceof Updated<T> before && next instanceof Updated<T> after) {
                all.add(new Updated<>(before.previous(), after.snapshot(), before.resync() && after.resync()));
            } else if (last instanceof Updated<T> before && next instanceof Deleted<T>) {
                all.add(new Updated<>(before.previous(), next.snapshot(), false));
                all.add(next);
            } else if (last instanceof Deleted<T>) {
                all.add(last);
                all.add(next);
            } else {
                all.add(next);
            }
            if (all.size() > MAX_EVENTS) {
                all.remove(1);
            }
            events = List.copyOf(all);
        }
    }
}
