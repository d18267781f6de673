package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Causes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prevents metrics that throw from breaking the queue: the first failure is logged, all are ignored. */
final class GuardedQueueMetrics implements WorkQueueMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedQueueMetrics.class);

    private final String queue;
    private final WorkQueueMetrics delegate;
    private final AtomicBoolean failed = new AtomicBoolean();

    private GuardedQueueMetrics(String queue, WorkQueueMetrics delegate) {
        this.queue = queue;
        this.delegate = delegate;
    }

    static WorkQueueMetrics of(String queue, WorkQueueMetrics delegate) {
        return delegate == NONE ? NONE : new GuardedQueueMetrics(queue, delegate);
    }

    @Override
    public void depth(String priority, IntSupplier depth) {
        try {
            delegate.depth(priority, depth);
        } catch (Throwable e) {
            report(e);
        }
    }

    @Override
    public void unfinishedWork(DoubleSupplier seconds) {
        try {
            delegate.unfinishedWork(seconds);
        } catch (Throwable e) {
            report(e);
        }
    }

    @Override
    public void longestRunning(DoubleSupplier seconds) {
        try {
            delegate.longestRunning(seconds);
        } catch (Throwable e) {
            report(e);
        }
    }

    @Override
    public void added(int count) {
        try {
            delegate.added(count);
        } catch (Throwable e) {
            report(e);
        }
    }

    @Override
    public void retried() {
        try {
            delegate.retried();
        } catch (Throwable e) {
            report(e);
        }
    }

    @Override
    public void waited(long nanos) {
        try {
            delegate.waited(nanos);
        } catch (Throwable e) {
            report(e);
        }
    }

    @Override
    public void worked(long nanos) {
        try {
            delegate.worked(nanos);
        } catch (Throwable e) {
            report(e);
        }
    }

    private void report(Throwable e) {
        if (failed.compareAndSet(false, true)) {
            LOG.warn("The metrics of queue '{}' failed; values can be missing from now on", queue, Causes.loggable(e));
        }
    }
}
