package io.github.reconciler4j.controllers.differential;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Throttle;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The controllers of this module with a manager in this JVM. */
public final class ControllersInJvm implements RunningControllers {

    private final Config config;
    private final ControllersOptions options;
    private final List<String> names;
    private Manager manager;
    private Instant startedAt;

    private ControllersInJvm(Config config, ControllersOptions options, List<String> names) {
        this.config = config;
        this.options = options;
        this.names = names;
        this.manager = startManager();
        this.startedAt = Instant.now();
    }

    /**
     * Start controllers, and wait until they run.
     *
     * @param config how to reach the cluster, for instance {@code RealKubernetes.config()}
     * @param names the names of the controllers in {@link KubernetesControllers}
     */
    public static ControllersInJvm start(Config config, ControllersOptions options, String... names) {
        return new ControllersInJvm(config, options, List.of(names));
    }

    private Manager startManager() {
        Manager started = Manager.create(
                config,
                ManagerOptions.defaults()
                        .withName("controllers")
                        .withClient(ClientOptions.defaults()
                                .withThrottle(Throttle.off().withRate(500, 1000))));
        AbstractControllerBuilder.addSelected(
                started, ControllerSelection.of(names), KubernetesControllers.builders(started, options));
        started.start();
        await("the controllers run")
                .atMost(Duration.ofMinutes(2))
                .until(() -> started.status().components().stream()
                        .filter(component -> names.contains(component.name()))
                        .allMatch(component -> component.state() == ComponentState.State.RUNNING));
        return started;
    }

    /** Return the manager, for instance to look at its status. */
    public synchronized Manager manager() {
        return manager;
    }

    @Override
    public synchronized void killAndRestart() {
        manager.close();
        manager = startManager();
        startedAt = Instant.now();
    }

    @Override
    public synchronized Instant workingSince() {
        return startedAt;
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
