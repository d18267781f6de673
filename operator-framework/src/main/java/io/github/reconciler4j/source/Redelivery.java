package io.github.reconciler4j.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
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
 * for deleted ones: of these, at most 10,000 are kept.
 *
 * <p>An object that does not fit its class is logged and not delivered again: only a change can fix it, and that is a new
 * event.
 *
 * <p>Queue and thread exist only after a failure. {@code lock} guards the pending objects; no handler is called under it.
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
    private final Duration firstDelay;
    private final Duration maxDelay;
    private final LogLimiter failures = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectKey, Pending<T>> pending = new LinkedHashMap<>();

    /** How many pending objects are deleted. */
    @GuardedBy("lock")
    private int deleted;

    @GuardedBy("lock")
    private @Nullable WorkQueue<ObjectKey> queue;

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
        this.firstDelay = firstDelay;
        this.maxDelay = maxDelay;
    }

    /** Deliver an event now, and later again if that fails. Never throws. */
    void deliver(ObjectEvent<T> event) {
        WorkQueue<ObjectKey> again = addIfPending(event);
        if (again == null && !tryDeliver(event)) {
            again = keep(event);
            if (again != null) {
                again.addRateLimited(event.snapshot().key(), WorkQueue.DEFAULT_PRIORITY);
            }
        } else if (again != null) {
            again.add(event.snapshot().key());
        }
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
                            e.getMessage(),
                            occurrence.suffix()));
            return true;
        } catch (Throwable e) {
            failures.log(LogLimiter.cause(e), occurrence -> {
                if (occurrence.first()) {
                    LOG.error("{} failed on {}; the change is kept and delivered again", name, describe(event), e);
                } else {
                    LOG.warn("{} failed on {}: {}{}", name, describe(event), e, occurrence.suffix());
                }
            });
            return false;
        }
    }

    /** Coalesce an event with the failed changes of its object; return the queue of retries, null if there are none. */
    private @Nullable WorkQueue<ObjectKey> addIfPending(ObjectEvent<T> event) {
        lock.lock();
        try {
            Pending<T> changes = pending.get(event.snapshot().key());
            if (changes == null) {
                return null;
            }
            boolean before = changes.isDeleted();
            changes.add(event);
            deleted += (changes.isDeleted() ? 1 : 0) - (before ? 1 : 0);
            dropDeleted();
            return queue;
        } finally {
            lock.unlock();
        }
    }

    /** Keep an event that failed; return the queue of retries, null if this is closed. */
    private @Nullable WorkQueue<ObjectKey> keep(ObjectEvent<T> event) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            Pending<T> changes = new Pending<>(event);
            pending.put(event.snapshot().key(), changes);
            deleted += changes.isDeleted() ? 1 : 0;
            dropDeleted();
            if (queue == null) {
                queue = startRetries();
            }
            return queue;
        } finally {
            lock.unlock();
        }
    }

    private WorkQueue<ObjectKey> startRetries() {
        WorkQueue<ObjectKey> retries = WorkQueue.create(WorkQueueOptions.<ObjectKey>defaults(name)
                .withRateLimiter(RateLimiters.exponential(firstDelay, maxDelay, JITTER)));
        Threads.daemon("source-" + name + "-redelivery", () -> retryAll(retries))
                .start();
        return retries;
    }

    @GuardedBy("lock")
    private void dropDeleted() {
        if (deleted <= MAX_DELETED) {
            return;
        }
        Iterator<Pending<T>> oldestFirst = pending.values().iterator();
        while (oldestFirst.hasNext()) {
            if (oldestFirst.next().isDeleted()) {
                oldestFirst.remove();
                deleted--;
                LOG.debug("{} dropped the oldest of {} deletions that it failed on", name, MAX_DELETED);
                return;
            }
        }
    }

    private void retryAll(WorkQueue<ObjectKey> retries) {
        Threads.repeat(
                () -> retryNext(retries),
                failure -> failures.log(
                        LogLimiter.cause(failure),
                        occurrence -> LOG.error(
                                "The redelivery of {} failed and continues{}", name, occurrence.suffix(), failure)));
    }

    private boolean retryNext(WorkQueue<ObjectKey> retries) throws InterruptedException {
        WorkItem<ObjectKey> item = retries.take();
        if (item == null) {
            return false;
        }
        try {
            retry(item.item(), retries);
        } catch (Throwable e) {
            retries.addRateLimited(item.item(), WorkQueue.DEFAULT_PRIORITY);
            throw e;
        } finally {
            retries.done(item.item());
        }
        return true;
    }

    private void retry(ObjectKey key, WorkQueue<ObjectKey> retries) {
        List<ObjectEvent<T>> events = events(key);
        boolean delivered = true;
        for (ObjectEvent<T> event : events) {
            delivered = delivered && tryDeliver(event);
        }
        if (!delivered) {
            retries.addRateLimited(key, WorkQueue.DEFAULT_PRIORITY);
        } else if (removeUnlessChanged(key, events)) {
            retries.forget(key);
        } else {
            retries.add(key);
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
            if (queue != null) {
                queue.shutDown();
            }
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
