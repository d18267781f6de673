package io.github.reconciler4j.source;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.UserCall;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on its own thread, each when it is due, one at a time; a task that throws anything is run again
 * later. A work queue is the timer: a key in it is a task to run. Closing it ends the thread.
 *
 * @param <R> the type of requests
 * @param <K> the type of tasks
 */
abstract class Poller<R, K> implements RequestSource.Running {

    private static final Logger LOG = LoggerFactory.getLogger(PollSource.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY = Duration.ofMinutes(5);
    private static final double JITTER = 0.2;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final String name;
    private final RequestSink<R> sink;
    private final WorkQueue<K> tasks;
    private final Thread thread;
    private final LogLimiter failures;

    Poller(String name, RequestSink<R> sink, TimeSource time) {
        this.name = name;
        this.sink = sink;
        this.failures = new LogLimiter(Duration.ofMinutes(1), time);
        this.tasks = WorkQueue.create(WorkQueueOptions.<K>defaults(name)
                .withTimeSource(time)
                .withRateLimiter(RateLimiters.exponential(FIRST_RETRY, MAX_RETRY, JITTER)));
        this.thread = Threads.daemon("source-" + sink.name() + "/" + name, this::work);
    }

    /** Start with a first task. */
    final RequestSource.Running start(K first, Duration delay) {
        schedule(first, delay);
        thread.start();
        return this;
    }

    /** Run a task that is due. */
    abstract void run(K task) throws Exception;

    /** Schedule a task after a delay. */
    final void schedule(K task, Duration delay) {
        tasks.addAfter(task, delay, WorkQueue.DEFAULT_PRIORITY);
    }

    final RequestSink<R> sink() {
        return sink;
    }

    private void work() {
        Threads.repeat(this::runNext, failure -> {
            if (!tasks.isShuttingDown()) {
                LOG.warn(
                        "The thread of source {} failed or was interrupted from outside, and continues",
                        name,
                        Causes.loggable(failure));
            }
        });
    }

    private boolean runNext() throws InterruptedException {
        WorkItem<K> item = tasks.take();
        if (item == null) {
            return false;
        }
        K task = item.item();
        UserCall call = UserCall.enter(UserCall.Kind.POLL, name, null);
        try {
            run(task);
            tasks.forget(task);
        } catch (Throwable e) {
            failed(task, e);
        } finally {
            call.exit();
            tasks.done(task);
        }
        return true;
    }

    private void failed(K task, Throwable failure) {
        if (tasks.isShuttingDown()) {
            return;
        }
        tasks.addRateLimited(task, WorkQueue.DEFAULT_PRIORITY, failure);
        boolean isExpected = failure instanceof ApiException;
        failures.log(
                LogLimiter.cause(failure),
                occurrence -> LOG.warn(
                        "Source {} failed and retries until it succeeds{}",
                        name,
                        isExpected ? ": " + Causes.message(failure) + occurrence.suffix() : occurrence.suffix(failure),
                        isExpected ? null : occurrence.trace(failure)));
    }

    @Override
    public final boolean isAlive() {
        return tasks.isShuttingDown() || Threads.isAlive(thread);
    }

    @Override
    public final void close() {
        tasks.shutDown();
        if (Thread.currentThread() != thread) { // a task can close its own source, and ends first
            thread.interrupt();
            Threads.join(thread, CLOSE_TIMEOUT);
        }
    }
}
