package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the manager with the application and stops it with it: late, after everything the reconcilers may need, and
 * first to stop. A thread that is not a daemon waits for the manager's end, so that an operator without a web server
 * keeps running; when the manager fails, the application is marked broken and its context closed.
 */
final class ManagerLifecycle implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ManagerLifecycle.class);

    private final Manager manager;
    private final ConfigurableApplicationContext context;
    private final boolean autoStartup;
    private volatile boolean started;

    ManagerLifecycle(Manager manager, ConfigurableApplicationContext context, boolean autoStartup) {
        this.manager = manager;
        this.context = context;
        this.autoStartup = autoStartup;
    }

    @Override
    public void start() {
        manager.start();
        started = true;
        Thread keeper =
                new Thread(this::awaitEnd, "operator-" + manager.options().name());
        keeper.setDaemon(false);
        keeper.start();
    }

    private void awaitEnd() {
        try {
            manager.await();
        } catch (ManagerFailedException e) {
            LOG.error("The operator has stopped: {}. Closing the application.", e.getMessage(), e);
            AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
            context.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop(Runnable callback) {
        Thread stopper = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "operator-" + manager.options().name() + "-stop");
        stopper.setDaemon(true);
        stopper.start();
    }

    @Override
    public void stop() {
        started = false;
        manager.stop();
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 100;
    }
}
