package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthEndpoint;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.ManagerStatus;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.manager.process.ShutdownSignals;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventBroadcaster;
import io.github.reconciler4j.recorder.EventEntry;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.recorder.EventRecorder;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a manager, its components and its events look like. */
final class ManagerUse {

    private ManagerUse() {}

    static ManagerOptions options() {
        return ManagerOptions.defaults()
                .withName("greeter")
                .withLeaderElection(LeaderElectionOptions.named("greeter")
                        .withTiming(
                                LeaseTiming.of(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(4))))
                .withLifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(20)))
                .withEvents(EventOptions.defaults().withDomain("example.com").withRate(50, Duration.ofSeconds(10)));
    }

    static void run(Manager manager) throws InterruptedException {
        ProbeServer.addTo(manager, ProbeServerOptions.defaults().withAddress("0.0.0.0", 8081));
        manager.start();
        manager.await();
    }

    static void stopAtShutdown(Manager manager) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ShutdownSignals.haltOnNext(); // a second Ctrl-C ends the process at once
            manager.stop();
        }));
    }

    /** A connection to a chat that runs on the leader. */
    record Chat(Runnable open, Runnable close) implements ManagedComponent {

        @Override
        public String name() {
            return "chat";
        }

        @Override
        public void start() {
            open.run();
        }

        @Override
        public void stop(Duration timeout) {
            close.run();
        }
    }

    /** Whether the chat is connected. */
    record ChatCheck(BooleanSupplier connection) implements HealthCheck {

        @Override
        public String name() {
            return "chat";
        }

        @Override
        public Health check() {
            return new Health(true, connection.getAsBoolean(), Map.of());
        }
    }

    static void chat(Manager manager, Chat chat, BooleanSupplier connection) {
        manager.add(chat);
        manager.addHealthCheck(new ChatCheck(connection));
    }

    static boolean runs(Manager manager) {
        ManagerStatus status = manager.status();
        return status.components().stream().allMatch(component -> component.state() == ComponentState.State.RUNNING);
    }

    static void follow(Manager manager, Consumer<String> log) {
        manager.addLeadershipListener(new LeadershipListener() {
            @Override
            public void lost(String lease, String reason) {
                log.accept("no longer the leader: " + reason);
            }
        });
    }

    static HealthEndpoint.Response ready(Manager manager) {
        HealthEndpoint readiness = HealthEndpoint.readiness(manager::healthChecks);
        return readiness.all(false, Set.of("chat"));
    }

    static void record(Manager manager, Greeting greeting, ConfigMap map) {
        EventRecorder recorder = manager.recorder();
        recorder.normal(greeting, "Created", "Create", "The ConfigMap was created");
        recorder.record(EventEntry.of(EventEntry.WARNING, greeting, "NameMissing", "Greet", "spec.name is empty")
                .withRelated(map));
    }

    static void recordWithoutManager(ApiConnection connection, Greeting greeting) {
        try (var events =
                new EventBroadcaster(connection, "greeter-0", EventOptions.defaults(), OperatorMetrics.NONE)) {
            events.recorder("greeter").normal(greeting, "Created", "Create", "The ConfigMap was created");
        }
    }

    static boolean knows(Manager manager, Greeting greeting) {
        Cluster home = manager.home();
        return home.client().listOwned(greeting, ConfigMap.class).size() == 1;
    }
}
