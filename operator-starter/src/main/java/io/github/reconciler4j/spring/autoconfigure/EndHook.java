package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ShutdownSignals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when the JVM begins to end. The application context's own shutdown hook waits for the end of the refresh,
 * which may wait minutes for the API server, so this one ends a start that is under way. And it lets a second signal end
 * the process at once.
 */
final class EndHook {

    private static final Logger LOG = LoggerFactory.getLogger(EndHook.class);

    private final Thread thread;
    private volatile @Nullable Runnable endOfStart;

    private EndHook(String operator, Runnable endOfStart) {
        this.endOfStart = endOfStart;
        this.thread = new Thread(this::run, "operator-" + operator + "-end");
    }

    /** Registers it; null if the JVM is ending already. */
    static @Nullable EndHook register(String operator, Runnable endOfStart) {
        EndHook hook = new EndHook(operator, endOfStart);
        try {
            Runtime.getRuntime().addShutdownHook(hook.thread);
            return hook;
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is ending already", e);
            return null;
        }
    }

    private void run() {
        if (ShutdownSignals.haltOnNext()) {
            LOG.debug("Another signal ends the process at once");
        }
        Runnable end = endOfStart;
        if (end != null) {
            end.run();
        }
    }

    /** The start is over: ending is the application context's own business from here on. */
    void started() {
        endOfStart = null;
    }

    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is ending, and the hook has done its work", e);
        }
    }
}
