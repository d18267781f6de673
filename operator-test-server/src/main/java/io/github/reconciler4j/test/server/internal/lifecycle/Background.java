package io.github.reconciler4j.test.server.internal.lifecycle;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread in which the server does its own work, one task after the other.
 *
 * @since 0.1.0
 */
public final class Background implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Background.class);

    private final AtomicInteger pending = new AtomicInteger();
    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "kubernetes-server-background");
                thread.setDaemon(true);
                return thread;
            });

    /** Runs the task soon; dropped after {@link #close}. */
    public void run(Runnable task) {
        pending.incrementAndGet();
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.warn("A background task of the test API server failed", e);
                } finally {
                    pending.decrementAndGet();
                }
            });
        } catch (RejectedExecutionException e) {
            pending.decrementAndGet(); // the server stops
        }
    }

    /** Whether nothing is left to do. */
    public boolean isIdle() {
        return pending.get() == 0;
    }

    /** Ends the thread; what was not done stays undone. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
