package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ShutdownSignals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs when the JVM shuts down. The shutdown hook of the application context waits for the end of the refresh, which may
 * wait minutes for the API server, so this hook stops a start that is in progress. It also lets a second signal halt the
 * process.
 */
final class ShutdownHook {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);

    private final Thread thread;
    private volatile @Nullable Runnable stopStart;

    private ShutdownHook(String operator, Runnable stopStart) {
        this.stopStart = stopStart;
        this.thread = new Thread(this::run, "operator-" + operator + "-shutdown");
    }

    /** Register a hook; return null if the JVM is already shutting down. */
    static @Nullable ShutdownHook register(String operator, Runnable stopStart) {
        ShutdownHook hook = new ShutdownHook(operator, stopStart);
        try {
            Runtime.getRuntime().addShutdownHook(hook.thread);
            return hook;
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is already shutting down", e);
            return null;
        }
    }

    private void run() {
        if (ShutdownSignals.haltOnNext()) {
            LOG.debug("Another signal halts the process");
        }
        Runnable stop = stopStart;
        if (stop != null) {
            stop.run();
        }
    }

    /** Leave the shutdown to the application context from now on, since the start is complete. */
    void started() {
        stopStart = null;
    }

    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is shutting down and runs the hook", e);
        }
    }
}
