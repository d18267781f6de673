package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.spring.OperatorFailedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ExitCodeExceptionMapper;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the manager with the application. The manager starts last, after everything that reconcilers may use and
 * after the servers that answer probes, and stops first. A non-daemon thread waits for the end of the manager, so that an
 * operator without a web server keeps running. If the manager fails, that thread marks the application as broken, closes
 * its context, and ends the process if the JVM was started for the application.
 */
final class ManagerLifecycle implements SmartLifecycle {

    /** Above the phases of web servers, which so answer probes while the operator starts and stops. */
    static final int PHASE = DEFAULT_PHASE - 100;

    private static final int DEFAULT_EXIT_CODE = 1;

    private static final Logger LOG = LoggerFactory.getLogger(ManagerLifecycle.class);

    private final Manager manager;
    private final ConfigurableApplicationContext context;
    private final boolean autoStartup;
    private final boolean stopsWithTheJvm;
    private final boolean exitsOnFailure;
    private @Nullable ShutdownHook hook;
    private volatile boolean started;
    private volatile boolean stopRequested;

    /**
     * Create the lifecycle.
     *
     * @param stopsWithTheJvm whether to stop a start in progress when the JVM shuts down, and to halt on a second signal
     */
    ManagerLifecycle(
            Manager manager,
            ConfigurableApplicationContext context,
            OperatorProperties properties,
            boolean stopsWithTheJvm) {
        this.manager = manager;
        this.context = context;
        this.autoStartup = properties.autoStartup();
        this.stopsWithTheJvm = stopsWithTheJvm;
        this.exitsOnFailure = properties.exitOnFailure() && Launch.isStandalone(context);
        manager.addLeadershipListener(new LeadershipEvents(manager, context));
    }

    /** The application counts as live from here on, since waiting for the API server is no reason to restart it. */
    @Override
    public void start() {
        if (stopRequested) {
            throw new IllegalStateException("The operator '" + name()
                    + "' was stopped and cannot be started again: close this application context and create a new one");
        }
        if (manager.components().stream().noneMatch(Controller.class::isInstance)) {
            LOG.warn(
                    "The operator '{}' has no controllers: annotate a bean that implements ObjectReconciler with"
                            + " @Reconciler, or add a controller to the Manager bean",
                    name());
        }
        ShutdownPhase.prepare(context, manager.options().lifecycle().gracefulShutdown());
        AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
        startManager();
        started = true;
        Thread keepAlive = new Thread(this::awaitEnd, "operator-" + name());
        keepAlive.setDaemon(false);
        keepAlive.start();
    }

    private void startManager() {
        ShutdownHook registered = stopsWithTheJvm ? ShutdownHook.register(name(), this::stopStart) : null;
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

    private void stopStart() {
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
                LOG.error("The operator did not stop cleanly: {}", e.getMessage());
            } else {
                LOG.error("The operator failed: {}. Closing the application.", e.getMessage(), e);
                AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
                close(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ShutdownHook registered = hook;
            if (registered != null) {
                registered.remove();
            }
        }
    }

    private void close(ManagerFailedException cause) {
        try {
            context.publishEvent(new OperatorFailedEvent(manager, cause));
        } finally {
            if (exitsOnFailure) {
                exit(cause);
            } else {
                context.close();
            }
        }
    }

    private void exit(ManagerFailedException cause) {
        int mapped = context.getBeanProvider(ExitCodeExceptionMapper.class)
                .orderedStream()
                .mapToInt(mapper -> mapper.getExitCode(cause))
                .filter(code -> code != 0)
                .findFirst()
                .orElse(DEFAULT_EXIT_CODE);
        int ofBeans = SpringApplication.exit(context);
        System.exit(ofBeans == 0 ? mapped : ofBeans);
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

    /** Spring Boot publishes this for web applications only. */
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

    /** A manager cannot restart, so it keeps running when the test framework pauses a context. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
