package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the manager with the application and stops it with it: late, after everything the reconcilers may need and
 * after the servers that answer probes, and first to stop. A thread that is not a daemon waits for the manager's end, so
 * that an operator without a web server keeps running; when the manager fails, the application is marked broken and its
 * context closed.
 */
final class ManagerLifecycle implements SmartLifecycle {

    /** Above the phases of web servers, so that probes are answered while the operator starts and stops. */
    static final int PHASE = DEFAULT_PHASE - 100;

    private static final Logger LOG = LoggerFactory.getLogger(ManagerLifecycle.class);

    private final Manager manager;
    private final ConfigurableApplicationContext context;
    private final boolean autoStartup;
    private final boolean endsWithTheJvm;
    private volatile boolean started;
    private volatile boolean stopRequested;

    /**
     * Creates it.
     *
     * @param autoStartup whether it starts with the application
     * @param endsWithTheJvm whether the end of the JVM ends a start that is under way
     */
    ManagerLifecycle(
            Manager manager, ConfigurableApplicationContext context, boolean autoStartup, boolean endsWithTheJvm) {
        this.manager = manager;
        this.context = context;
        this.autoStartup = autoStartup;
        this.endsWithTheJvm = endsWithTheJvm;
    }

    /** The application counts as live from here on, since waiting for the API server is no reason to kill it. */
    @Override
    public void start() {
        if (stopRequested) {
            throw new IllegalStateException("The operator '" + name()
                    + "' starts once and has been stopped: close this application context and make a new one");
        }
        ShutdownPhase.prepare(context, manager.options().lifecycle().gracefulShutdown());
        AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
        startManager();
        started = true;
        Thread keeper = new Thread(this::awaitEnd, "operator-" + name());
        keeper.setDaemon(false);
        keeper.start();
    }

    /**
     * The context's own shutdown hook waits for the end of the refresh, which may wait minutes for the API server, so a
     * hook of our own ends that wait.
     */
    private void startManager() {
        Thread hook = endsWithTheJvm ? hook() : null;
        try {
            manager.start();
        } finally {
            if (hook != null) {
                removeHook(hook);
            }
        }
    }

    private @Nullable Thread hook() {
        Thread hook = new Thread(
                () -> {
                    stopRequested = true;
                    manager.stop();
                },
                "operator-" + name() + "-end-start");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return hook;
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is ending already", e);
            return null;
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is ending, and the hook has done its work", e);
        }
    }

    private String name() {
        return manager.options().name();
    }

    private void awaitEnd() {
        try {
            manager.await();
        } catch (ManagerFailedException e) {
            if (stopRequested) {
                LOG.error("The operator has not stopped in good order: {}", e.getMessage());
            } else {
                LOG.error("The operator has stopped: {}. Closing the application.", e.getMessage(), e);
                AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
                context.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop(Runnable callback) {
        refuseTraffic();
        Thread stopper = new Thread(
                () -> {
                    try {
                        manager.stop();
                    } finally {
                        callback.run();
                    }
                },
                "operator-" + name() + "-stop");
        stopper.setDaemon(true);
        stopper.start();
    }

    @Override
    public void stop() {
        refuseTraffic();
        manager.stop();
    }

    /** Only web applications say this by themselves. */
    private void refuseTraffic() {
        stopRequested = true;
        started = false;
        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    /** A manager starts once, so a paused context, as the test framework makes them, leaves it running. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
