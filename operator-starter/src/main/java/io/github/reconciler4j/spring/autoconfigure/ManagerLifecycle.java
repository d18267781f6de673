package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.manager.process.ShutdownSignals;
import io.github.reconciler4j.spring.LeadershipEvent;
import io.github.reconciler4j.spring.OperatorFailedEvent;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Threads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.ExitCodeExceptionMapper;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.env.Environment;

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
        this.autoStartup = properties.autoStartup()
                && properties.mode() != WriteMode.PLAN
                && !context.getEnvironment().getProperty("reconciler4j.webhook.clean-up", Boolean.class, false);
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
        boolean isElsewhere = context.getBeanProvider(ReconcilerRegistry.class).stream()
                .anyMatch(registry -> !registry.controllersElsewhere().isEmpty());
        if (!isElsewhere && manager.components().stream().noneMatch(Controller.class::isInstance)) {
            LOG.warn(
                    "The operator '{}' has no controllers: annotate a bean that implements ObjectReconciler with"
                            + " @Reconciler, or add a controller to the Manager bean (R4J-322)",
                    name());
        }
        JvmFlags.report();
        ShutdownPhase.prepare(context, manager.options().lifecycle().gracefulShutdown());
        AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
        if (manager.components().stream().anyMatch(ManagedComponent::servesBeforeCaches)) {
            // From here on, the health of the manager decides. It is ready when this component serves.
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        }
        startManager();
        started = true;
        Threads.keepingAlive("operator-" + name(), this::awaitEnd).start();
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
                LOG.error("The operator failed: {}. Closing the application.", e.getMessage(), Causes.loggable(e));
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
        Threads.daemon("operator-" + name() + "-stop", () -> {
                    try {
                        manager.stop();
                    } finally {
                        callback.run();
                    }
                })
                .start();
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

    /** Publishes changes of leadership in the application context. */
    private static final class LeadershipEvents implements LeadershipListener {

        private final Manager manager;
        private final ConfigurableApplicationContext context;

        LeadershipEvents(Manager manager, ConfigurableApplicationContext context) {
            this.manager = manager;
            this.context = context;
        }

        @Override
        public void elected(String lease) {
            publish(new LeadershipEvent(manager, lease, true, ""));
        }

        @Override
        public void lost(String lease, String reason) {
            publish(new LeadershipEvent(manager, lease, false, reason));
        }

        private void publish(LeadershipEvent event) {
            if (context.isActive()) {
                context.publishEvent(event);
            }
        }
    }

    /**
     * Runs when the JVM shuts down. The shutdown hook of the application context waits for the end of the refresh, which may
     * wait minutes for the API server, so this hook stops a start that is in progress. It also lets a second signal halt the
     * process.
     */
    private static final class ShutdownHook {

        private final Thread thread;
        private volatile @Nullable Runnable stopStart;

        private ShutdownHook(String operator, Runnable stopStart) {
            this.stopStart = stopStart;
            this.thread = Threads.daemon("operator-" + operator + "-shutdown", this::run);
        }

        /** Register a hook; return null if the JVM is already shutting down. */
        static @Nullable ShutdownHook register(String operator, Runnable stopStart) {
            ShutdownHook hook = new ShutdownHook(operator, stopStart);
            try {
                Runtime.getRuntime().addShutdownHook(hook.thread);
                return hook;
            } catch (IllegalStateException e) {
                LOG.debug("The JVM is already shutting down", Causes.loggable(e));
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
                LOG.debug("The JVM is shutting down and runs the hook", Causes.loggable(e));
            }
        }
    }

    /**
     * Gives the shutdown phase of the operator the time that its grace period needs. Spring continues with the next phase, which
     * stops what reconcilers use, after {@code spring.lifecycle.timeout-per-shutdown-phase}. Its default of 30 seconds is not
     * longer than the default grace period.
     */
    private static final class ShutdownPhase {

        /** Time after the grace period for interrupted workers, the release of the lease and the last events. */
        static final Duration ALLOWANCE = Duration.ofSeconds(15);

        static final String PROPERTY = "spring.lifecycle.timeout-per-shutdown-phase";

        private static final Duration DEFAULT = Duration.ofSeconds(30);
        private static final Duration UNLIMITED = Duration.ofDays(36500);

        private ShutdownPhase() {}

        /** Extend the phase as needed, and log a warning if a property contradicts this. */
        static void prepare(ConfigurableApplicationContext context, Duration grace) {
            Duration needed = grace.isNegative() ? UNLIMITED : grace.plus(ALLOWANCE);
            String text = text(context.getEnvironment());
            Duration configured = text == null ? DEFAULT : DurationStyle.detectAndParse(text);
            if (configured.compareTo(needed) >= 0) {
                return;
            }
            boolean extended = extend(context, needed);
            if (!extended || (text != null && (grace.isNegative() || configured.compareTo(grace) < 0))) {
                LOG.warn(
                        "{} is {} and reconciler4j.grace-period is {}: {}",
                        PROPERTY,
                        configured,
                        grace,
                        extended
                                ? "the phase of the operator is extended, all other phases last as configured"
                                : "reconcilers may lose what they use before they finish; set the property to at least "
                                        + needed + " (R4J-323)");
            }
        }

        private static @Nullable String text(Environment environment) {
            return environment.getProperty(PROPERTY);
        }

        private static boolean extend(ConfigurableApplicationContext context, Duration needed) {
            try {
                LifecycleProcessor processor = context.getBean(
                        AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, LifecycleProcessor.class);
                if (processor instanceof DefaultLifecycleProcessor phases) {
                    phases.setTimeoutForShutdownPhase(ManagerLifecycle.PHASE, needed.toMillis());
                    return true;
                }
            } catch (NoSuchBeanDefinitionException e) {
                LOG.debug("The context has no lifecycle processor", Causes.loggable(e));
            }
            return false;
        }
    }
}
