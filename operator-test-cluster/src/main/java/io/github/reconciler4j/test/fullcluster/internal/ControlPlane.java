package io.github.reconciler4j.test.fullcluster.internal;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.Fates;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.KubeletController;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.RestartBackoff;
import io.github.reconciler4j.test.fullcluster.internal.nodes.NodeController;
import io.github.reconciler4j.test.fullcluster.internal.nodes.NodeObjects;
import io.github.reconciler4j.test.fullcluster.internal.scheduler.SchedulerController;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import io.github.reconciler4j.test.fullcluster.internal.volumes.VolumeControllers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The manager of the controllers and of the replacements for scheduler and kubelets. Safe for use by multiple threads. */
public final class ControlPlane implements AutoCloseable {

    /** The user name of its requests. */
    public static final String USER = "system:kube-controller-manager";

    private static final String GARBAGE_COLLECTOR = "garbage-collector";
    private static final String NAMESPACE = "namespace";
    private static final Set<String> STAND_INS =
            Set.of(SchedulerController.NAME, KubeletController.NAME, VolumeControllers.NAME);
    private static final Duration STOP = Duration.ofSeconds(2);

    private final Manager manager;
    private final Set<String> names;

    /**
     * What runs.
     *
     * @param controllers the words of a selection
     * @param nodes the number of nodes
     * @param time the clock of delays, null for that of the system
     */
    public record Settings(
            List<String> controllers,
            int nodes,
            RestartBackoff backoff,
            @Nullable TimeSource time) {}

    /** A control plane and its server. */
    public record Running(KubernetesServer server, ControlPlane plane) {}

    private ControlPlane(Manager manager, Set<String> names) {
        this.manager = manager;
        this.names = names;
    }

    /** Start a server and the controllers on it. */
    public static Running start(KubernetesServerBuilder builder, Settings settings, Fates fates) {
        Set<String> names = selected(settings.controllers());
        if (names.contains(GARBAGE_COLLECTOR)) {
            builder.garbageCollection(false);
        }
        if (names.contains(NAMESPACE)) {
            builder.namespaceDeletion(false);
        }
        KubernetesServer server = builder.start();
        try {
            return new Running(server, start(server, names, settings, fates));
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    /** Return the names of what runs: the scheduler, the kubelets and the volumes run unless they are excluded. */
    private static Set<String> selected(List<String> words) {
        Set<String> known = new TreeSet<>(KubernetesControllers.names());
        known.addAll(STAND_INS);
        ControllerSelection selection = ControllerSelection.of(words);
        selection.check(known);
        Set<String> selected = new TreeSet<>(known);
        selected.removeIf(name -> !(selection.selects(name, true)
                || STAND_INS.contains(name) && !selection.disabled().contains(name)));
        return Collections.unmodifiableSet(selected);
    }

    private static ControlPlane start(KubernetesServer server, Set<String> names, Settings settings, Fates fates) {
        Config config = server.clientConfig(server.addUser(USER, "system:masters"));
        Manager manager = Manager.create(config, options(settings));
        try {
            List<AbstractControllerBuilder<?, ?>> builders = builders(manager, names, settings, fates, server.clock());
            AbstractControllerBuilder.addSelected(manager, selection(names), builders);
            server.podLogs(KubeletController.logs(manager, fates));
            for (int number = 1; number <= settings.nodes(); number++) {
                manager.client().create(NodeObjects.node(number));
            }
            manager.start();
            return new ControlPlane(manager, names);
        } catch (Throwable e) {
            manager.close();
            throw e;
        }
    }

    private static ManagerOptions options(Settings settings) {
        ManagerOptions options = ManagerOptions.defaults()
                .withName("cluster")
                .withLifecycle(
                        LifecycleOptions.defaults().withPreflight(Preflight.OFF).withGracefulShutdown(STOP));
        TimeSource time = settings.time();
        return time == null ? options : options.withTimeSource(time);
    }

    private static ControllerSelection selection(Set<String> names) {
        List<String> words = new ArrayList<>(names);
        if (names.contains(KubeletController.NAME)) {
            words.add(NodeController.NAME);
        }
        if (names.contains(VolumeControllers.NAME)) {
            words.addAll(VolumeControllers.others());
        }
        return ControllerSelection.of(words);
    }

    private static List<AbstractControllerBuilder<?, ?>> builders(
            Manager manager, Set<String> names, Settings settings, Fates fates, Clock clock) {
        List<AbstractControllerBuilder<?, ?>> builders = new ArrayList<>();
        builders.addAll(KubernetesControllers.builders(
                manager, ControllersOptions.defaults().withClock(clock)));
        ClusterEvents events = new ClusterEvents(manager.client(), clock);
        boolean binds = names.contains(VolumeControllers.NAME);
        builders.add(SchedulerController.builder(manager, events, clock, binds));
        builders.add(NodeController.builder(manager, clock));
        builders.add(KubeletController.builder(manager, fates, events, clock, settings.backoff()));
        builders.addAll(VolumeControllers.builders(manager, events));
        return builders;
    }

    /** Return the names of what runs, sorted. */
    public Set<String> names() {
        return names;
    }

    /** Return the manager of all controllers. */
    public Manager manager() {
        return manager;
    }

    @Override
    public void close() {
        manager.close();
    }
}
