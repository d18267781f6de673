package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.spring.OperatorFailedEvent;
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
    private @Nullable EndHook hook;
    private volatile boolean started;
    private volatile boolean stopRequested;

    /**
     * Creates it.
     *
     * @param autoStartup whether it starts with the application
     * @param endsWithTheJvm whether the end of the JVM ends a start that is under way, and a second signal the process
     */
    ManagerLifecycle(
            Manager manager, ConfigurableApplicationContext context, boolean autoStartup, boolean endsWithTheJvm) {
        this.manager = manager;
        this.context = context;
        this.autoStartup = autoStartup;
        this.endsWithTheJvm = endsWithTheJvm;
        manager.addLeadershipListener(new LeadershipEvents(manager, context));
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

    private void startManager() {
        EndHook registered = endsWithTheJvm ? EndHook.register(name(), this::endStart) : null;
        hook = registered;
        boolean runs = false;
        try {
            manager.start();
            runs = true;
        } finally {
            if (registered != null && runs) {
                registered.started();
            } else if (registered != null) {
                registered.remove();
            }
        }
    }

    private void endStart() {
        stopRequested = true;
        manager.stop();
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
                close(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            EndHook registered = hook;
            if (registered != null) {
                registered.remove();
            }
        }
    }

    private void close(ManagerFailedException cause) {
        try {
            context.publishEvent(new OperatorFailedEvent(manager, cause));
        } finally {
            context.close();
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
