package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.HostExtension;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ManagerTests {

    private static Config nobodyListens() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + socket.getLocalPort())
                    .build();
        }
    }

    private static ManagerOptions impatient() {
        return ManagerOptions.defaults()
                .withName("test-manager")
                .withLifecycle(LifecycleOptions.defaults().withApiServerTimeout(Duration.ofMillis(600)));
    }

    @Test
    void startWhenApiServerIsUnavailableFailsAfterTheTimeoutWithTheReason() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            assertThatThrownBy(manager::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasMessageContaining("The manager could not start: api-server could not start")
                    .hasMessageContaining("127.0.0.1");
            assertThat(manager.status().running()).isFalse();
            assertThatIllegalStateException().isThrownBy(manager::start);
        }
    }

    @Test
    void createWhenNeverStartedLeavesNoThread() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            assertThat(manager.status().running()).isFalse();
            assertThat(manager.status().leader()).isFalse();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("test-manager-start"));
    }

    @Test
    void recorderWhenTheManagerIsNeverStartedLeavesNoThread() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            manager.recorder("example.io/test").normal(new ConfigMap(), "Tested", "Test", "an event");
        }
        Awaitility.await("no thread of the recorder")
                .atMost(Duration.ofSeconds(30))
                .until(() -> LiveThreads.named("event-writer").isEmpty());
    }

    @Test
    void controllerWhenTheManagerIsNeverStartedLeavesNoThread() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            ControllerBuilder.of(ConfigMap.class)
                    .reconciler((map, context) -> Result.done())
                    .addTo(manager);
        }
        Awaitility.await("no thread is left")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .noneMatch(name -> name.matches("(test-manager|controller|reflector|reconciler4j)-.*")));
    }

    /** A manager that only observes logs its events, and stops components that were never started too. */
    @Test
    void recorderWhenAComponentRecordsWhileItStopsWritesThat() throws Exception {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("one")
                .endMetadata()
                .build();
        ClientOptions observing = ClientOptions.defaults().withMode(WriteMode.OBSERVE);
        Manager manager = Manager.create(nobodyListens(), impatient().withClient(observing));
        manager.add(new ManagedComponent() {
            @Override
            public String name() {
                return "last";
            }

            @Override
            public void start() {}

            @Override
            public void stop(Duration grace) {
                manager.recorder("example.io/test").normal(map, "Ended", "End", "last words");
            }
        });
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.recorder")) {
            manager.close();
            assertThat(log.lines(Level.INFO)).singleElement().asString().contains("last words");
        }
    }

    @Test
    void clustersAddStartsItWithTheCaches() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            HostExtension.connect(manager, "away", nobodyListens());
            ManagedComponent cluster = manager.components().get(0);
            assertThat(cluster.group()).isEqualTo(StartGroup.CACHES);
        }
    }

    @Test
    void createWhenACertificateCannotBeReadFails() throws Exception {
        Config broken = new ConfigBuilder(nobodyListens())
                .withMasterUrl("https://127.0.0.1:1")
                .withCaCertFile("/does/not/exist")
                .build();
        assertThatThrownBy(() -> Manager.create(broken, impatient())).isInstanceOf(ConnectionException.class);
    }

    @Test
    void createWhenGivenAConfigLeavesItAsItWas() throws Exception {
        Config config = nobodyListens();
        String before = Serialization.asYaml(config);
        Manager.create(config, impatient().withName("another-name")).close();
        assertThat(Serialization.asYaml(config)).isEqualTo(before);
    }

    @Test
    void addHealthCheckWhenTheNameIsTakenIsRejected() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            HealthCheck taken = new HealthCheck() {
                @Override
                public String name() {
                    return "cache";
                }

                @Override
                public Health check() {
                    return new Health(true, true, Map.of());
                }
            };
            assertThatIllegalArgumentException().isThrownBy(() -> manager.addHealthCheck(taken));
        }
    }

    @Test
    void removeWhenControllerWasAddedTakesItsCompanionsAndHealthChecksAlong() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            Controller<?> controller = warmController().addTo(manager);
            assertThat(names(manager)).containsExactly("configmap", "configmap-warm-up");
            assertThat(checks(manager)).contains("controller/configmap");
            assertThat(manager.remove(controller)).isTrue();
            assertThat(names(manager)).isEmpty();
            assertThat(checks(manager)).containsExactly("manager", "cache", "leader-election", "callbacks");
            assertThat(manager.status().components())
                    .extracting(ComponentState::name)
                    .noneMatch(name -> name.startsWith("configmap"));
            warmController().addTo(manager);
            assertThat(checks(manager)).contains("controller/configmap");
        }
    }

    @Test
    void removeWhenComponentIsUnknownOrRemovedBeforeFails() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            Controller<?> controller = warmController().addTo(manager);
            Controller<?> other = warmController().build(manager);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> manager.remove(other))
                    .withMessage("'configmap' is not a component of this manager");
            manager.remove(controller);
            assertThatIllegalArgumentException().isThrownBy(() -> manager.remove(controller));
        }
    }

    @Test
    void removeWhenControllersShareAChannelKeepsNoEventsForTheRemovedOne() throws Exception {
        ChannelSource<String, String> channel = ChannelSource.ofRequests("shared");
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            Controller<?> removed = listening("removed", channel).addTo(manager);
            RecordingSink<String> other = new RecordingSink<>("other");
            channel.start(other);
            for (int i = 0; i < ChannelSource.DEFAULT_CAPACITY; i++) {
                assertThat(channel.send("request-" + i)).isTrue();
            }
            assertThat(channel.send("one too many")).isFalse();
            assertThat(manager.remove(removed)).isTrue();
            assertThat(channel.send("one more")).isTrue();
            assertThat(other.requests()).contains("one more");
        }
    }

    private static RequestControllerBuilder<String> listening(String name, ChannelSource<String, String> channel) {
        return ControllerBuilder.forRequests(name, String.class)
                .source(channel)
                .reconciler((request, context) -> Result.done());
    }

    @Test
    void addWhenANameIsTakenAddsNothing() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            warmController().addTo(manager);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> warmController().addTo(manager));
            assertThat(names(manager)).containsExactly("configmap", "configmap-warm-up");
            assertThat(checks(manager)).containsOnlyOnce("controller/configmap");
        }
    }

    private static ControllerBuilder<ConfigMap> warmController() {
        return ControllerBuilder.of(ConfigMap.class)
                .customizeOptions(
                        options -> options.withPlacement(options.placement().withWarmUp(true)))
                .reconciler((map, context) -> Result.done());
    }

    private static List<String> names(Manager manager) {
        return manager.components().stream().map(ManagedComponent::name).toList();
    }

    private static List<String> checks(Manager manager) {
        return manager.healthChecks().stream().map(HealthCheck::name).toList();
    }

    @Test
    void createWhenLeaseNamespaceIsUnknownFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Manager.create(
                        nobodyListens(), impatient().withLeaderElection(LeaderElectionOptions.named("lease"))))
                .withMessageContaining("leaseNamespace");
    }
}
