package io.github.reconciler4j.test.server.internal.lifecycle;

import io.github.reconciler4j.test.server.internal.rest.ActiveWatches;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of the server itself after writes: it serves custom resources, empties deleted namespaces and collects
 * garbage. One thread runs all tasks, one after the other; closing ends it. Safe for use by multiple threads.
 */
public final class Lifecycle implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "kubernetes-server-background");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * The settings of the work.
     *
     * @param collectsGarbage whether to delete objects without owners
     * @param deletesNamespaces whether to empty deleted namespaces
     * @param namespaceDelay how long a deleted namespace keeps its content
     */
    public record Settings(boolean collectsGarbage, boolean deletesNamespaces, Duration namespaceDelay) {}

    /** Start the work and create what every new cluster has. The watches of a custom resource end with its definition. */
    public Lifecycle(ObjectAccess access, ActiveWatches watches, Settings settings) {
        access.addHook(new CustomDefinitions(access, watches, this));
        if (settings.deletesNamespaces()) {
            access.addHook(new Namespaces(access, this, settings.namespaceDelay()));
        }
        if (settings.collectsGarbage()) {
            access.addHook(new GarbageCollector(access, this));
        }
        FirstObjects.create(access);
    }

    /** Run a task soon, or not at all after {@link #close}. */
    void run(Runnable task) {
        run(task, Duration.ZERO);
    }

    /** Run a task after a delay, or not at all after {@link #close}. */
    void run(Runnable task, Duration delay) {
        try {
            executor.schedule(() -> runSafely(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.trace("The test API server has stopped", e);
        }
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("A background task of the test API server failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
