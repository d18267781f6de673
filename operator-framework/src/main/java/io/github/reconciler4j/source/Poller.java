package io.github.reconciler4j.source;

import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.Ticker;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does tasks on a thread of its own, each when it is due, one at a time; a task that fails is done again later. The queue
 * is the clock: a task in it is one to do.
 *
 * @param <R> what a request is
 * @param <K> what a task is
 */
abstract class Poller<R, K> implements EventSource.Running {

    private static final Logger LOG = LoggerFactory.getLogger(PollSource.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
    private static final double JITTER = 0.2;
    private static final long PATIENCE_MILLIS = 1_000;

    private final String name;
    private final RequestTarget<R> target;
    private final WorkQueue<K> tasks;
    private final Thread thread;

    /** Whether the last task failed; for the thread alone. */
    private boolean failing;

    Poller(String name, RequestTarget<R> target, Ticker ticker) {
        this.name = name;
        this.target = target;
        this.tasks = WorkQueue.create(WorkQueueOptions.<K>defaults(name)
                .withTicker(ticker)
                .withRateLimiter(RateLimiters.exponential(FIRST_RETRY, LONGEST_RETRY, JITTER)));
        this.thread = new Thread(this::work, "source-" + target.name() + "/" + name);
        this.thread.setDaemon(true);
    }

    /** Begins with a first task. */
    final EventSource.Running begin(K first) {
        again(first, Duration.ZERO);
        thread.start();
        return this;
    }

    /** Does a task that is due. */
    abstract void perform(K task) throws Exception;

    /** Makes a task due after a time. */
    final void again(K task, Duration delay) {
        tasks.addAfter(task, delay, WorkQueue.DEFAULT_PRIORITY);
    }

    /** Queues a request. */
    final void changed(R request, boolean firstTime) {
        int priority = firstTime ? WorkQueue.LOW_PRIORITY : WorkQueue.DEFAULT_PRIORITY;
        target.add(request, Duration.ZERO, priority, Trigger.external(name));
    }

    private void work() {
        try {
            for (WorkItem<K> item = tasks.take(); item != null; item = tasks.take()) {
                K task = item.item();
                try {
                    perform(task);
                    tasks.forget(task);
                    failing = false;
                } catch (Exception e) {
                    failed(task, e);
                } finally {
                    tasks.done(task);
                }
            }
        } catch (InterruptedException e) {
            if (!tasks.isShuttingDown()) {
                LOG.error("Source {} was interrupted from outside and asks no more", name);
            }
        }
    }

    private void failed(K task, Exception failure) throws InterruptedException {
        if (tasks.isShuttingDown()) {
            return;
        }
        if (failure instanceof InterruptedException interrupted) {
            throw interrupted;
        }
        tasks.addRateLimited(task, WorkQueue.DEFAULT_PRIORITY, failure);
        if (failing) {
            LOG.debug("Source {} could not ask again", name, failure);
        } else {
            LOG.warn("Source {} could not ask, and tries again until it can", name, failure);
        }
        failing = true;
    }

    @Override
    public final void close() {
        tasks.shutDown();
        thread.interrupt();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
