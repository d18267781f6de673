package io.github.reconciler4j.source;

import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events again whose predicate or handler failed, so that a mapper which reads something and cannot at the
 * moment does not lose the change: after 1 s, doubling to 1 min, 10 times in all. An object that cannot be decoded is
 * only logged, as it will not fit later either. Its queue and thread exist only once
 * something has failed. Safe for use by many threads.
 *
 * @param <T> the class of the objects
 */
final class Redelivery<T> implements AutoCloseable {

    static final int MOST_TRIES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(KindSource.class);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    private static final double JITTER = 0.2;

    private final String name;
    private final Consumer<ObjectEvent<T>> delivery;
    private final Duration firstDelay;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private @Nullable WorkQueue<Failed<T>> queue;

    /** Guarded by {@link #lock}. */
    private boolean closed;

    /**
     * Creates it.
     *
     * @param name names the source and its taker
     * @param delivery delivers an event; throws if it fails
     */
    Redelivery(String name, Consumer<ObjectEvent<T>> delivery) {
        this(name, delivery, FIRST_DELAY);
    }

    Redelivery(String name, Consumer<ObjectEvent<T>> delivery, Duration firstDelay) {
        this.name = name;
        this.delivery = delivery;
        this.firstDelay = firstDelay;
    }

    /** An event; two are never equal. */
    private static final class Failed<T> {

        private final ObjectEvent<T> event;

        Failed(ObjectEvent<T> event) {
            this.event = event;
        }
    }

    /** Delivers an event, now and if need be later. Never throws an exception. */
    void deliver(ObjectEvent<T> event) {
        try {
            delivery.accept(event);
        } catch (UndecodableObjectException e) {
            LOG.warn("{} cannot look into {}, so nothing is queued for it: {}", name, describe(event), e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{} failed on {}; it is told again", name, describe(event), e);
            WorkQueue<Failed<T>> again = queue();
            if (again != null) {
                again.addRateLimited(new Failed<>(event), WorkQueue.DEFAULT_PRIORITY, e);
            }
        }
    }

    private @Nullable WorkQueue<Failed<T>> queue() {
        lock.lock();
        try {
            if (queue == null && !closed) {
                WorkQueue<Failed<T>> made = WorkQueue.create(WorkQueueOptions.<Failed<T>>defaults(name)
                        .withRateLimiter(RateLimiters.exponential(firstDelay, LONGEST_DELAY, JITTER)));
                Thread thread = new Thread(() -> redeliver(made), "source-" + name + "-redelivery");
                thread.setDaemon(true);
                thread.start();
                queue = made;
            }
            return queue;
        } finally {
            lock.unlock();
        }
    }

    private void redeliver(WorkQueue<Failed<T>> from) {
        try {
            for (WorkItem<Failed<T>> item = from.take(); item != null; item = from.take()) {
                Failed<T> failed = item.item();
                try {
                    delivery.accept(failed.event);
                    from.forget(failed);
                } catch (RuntimeException e) {
                    failedAgain(from, failed, e);
                } finally {
                    from.done(failed);
                }
            }
        } catch (InterruptedException e) {
            LOG.warn("{} was interrupted from outside; events it failed on are not told again", name);
            Thread.currentThread().interrupt();
        }
    }

    private void failedAgain(WorkQueue<Failed<T>> from, Failed<T> failed, RuntimeException e) {
        int tries = from.retries(failed);
        if (tries < MOST_TRIES) {
            LOG.debug("{} failed again on {}", name, describe(failed.event), e);
            from.addRateLimited(failed, WorkQueue.DEFAULT_PRIORITY, e);
        } else {
            LOG.error("{} failed {} times on {} and gives up", name, tries + 1, describe(failed.event), e);
            from.forget(failed);
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
            if (queue != null) {
                queue.shutDown();
            }
        } finally {
            lock.unlock();
        }
    }
}
