package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.RequestTarget;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A source at work for one controller between start and stop. Safe for use by many threads; closing it while it starts
 * ends it as soon as it has started.
 *
 * @param <R> what a request is
 */
final class ActiveSource<R> implements RequestTarget<R>, AutoCloseable {

    private final String controller;
    private final EventSource<R> source;
    private final WorkQueue<R> queue;
    private final Triggers<R> triggers;
    private final FutureTask<@Nullable Void> starting = new FutureTask<>(this::startOnce);
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private EventSource.@Nullable Running running;

    /** Written under {@link #lock}. */
    private volatile boolean closed;

    /** Whether the source has told everything that was there. */
    private volatile boolean synced;

    ActiveSource(String controller, EventSource<R> source, WorkQueue<R> queue, Triggers<R> triggers) {
        this.controller = controller;
        this.source = source;
        this.queue = queue;
        this.triggers = triggers;
    }

    EventSource<R> source() {
        return source;
    }

    @Override
    public String name() {
        return controller;
    }

    @Override
    public void add(R request, Duration delay, int priority, Trigger trigger) {
        if (!closed) {
            triggers.record(request, trigger);
            queue.addAfter(request, delay, priority);
        }
    }

    /** Starts the source if nobody has; otherwise waits until it has started, and fails as it did if it failed. */
    void start() throws Exception {
        starting.run();
        try {
            starting.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    private @Nullable Void startOnce() throws Exception {
        EventSource.Running started = source.start(this);
        boolean tooLate;
        lock.lock();
        try {
            tooLate = closed;
            running = started;
        } finally {
            lock.unlock();
        }
        if (tooLate) {
            started.close();
        }
        return null;
    }

    /** Waits until the source, which has started, has told everything that was there. */
    void awaitSync(Duration timeout) throws InterruptedException {
        EventSource.Running started = running();
        if (started != null) {
            started.awaitSync(timeout);
        }
        synced = true;
    }

    /** What keeps the source from telling everything, if that does not pass by itself; {@code ""} if nothing does. */
    String notReadyReason() {
        EventSource.Running started = running();
        return started == null || synced ? "" : started.notReadyReason();
    }

    private EventSource.@Nullable Running running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    boolean isSynced() {
        return synced;
    }

    @Override
    public void close() {
        EventSource.Running started;
        lock.lock();
        try {
            closed = true;
            started = running;
        } finally {
            lock.unlock();
        }
        if (started != null) {
            started.close();
        }
    }
}
