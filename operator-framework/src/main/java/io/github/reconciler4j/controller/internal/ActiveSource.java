package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Reason;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.RequestTarget;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
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
    private final Reasons<R> reasons;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private EventSource.@Nullable Running running;

    /** Written under {@link #lock}. */
    private volatile boolean closed;

    /** Whether the source has told everything that was there. */
    private volatile boolean synced;

    ActiveSource(String controller, EventSource<R> source, WorkQueue<R> queue, Reasons<R> reasons) {
        this.controller = controller;
        this.source = source;
        this.queue = queue;
        this.reasons = reasons;
    }

    EventSource<R> source() {
        return source;
    }

    @Override
    public String name() {
        return controller;
    }

    @Override
    public void add(R request, Duration delay, int priority, Reason reason) {
        if (!closed) {
            reasons.record(request, reason);
            queue.addAfter(request, delay, priority);
        }
    }

    void start() throws Exception {
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
    }

    /** Waits until the source, which has started, has told everything that was there. */
    void awaitSync(Duration timeout) throws InterruptedException {
        EventSource.Running started;
        lock.lock();
        try {
            started = running;
        } finally {
            lock.unlock();
        }
        if (started != null) {
            started.awaitSync(timeout);
        }
        synced = true;
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
