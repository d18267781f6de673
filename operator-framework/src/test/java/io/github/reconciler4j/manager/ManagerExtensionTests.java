package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.fixtures.HostExtension;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a manager does for a module that extends it. The modules test what they make of it. */
@Timeout(60)
class ManagerExtensionTests {

    private static final Config NOWHERE = new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .build();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Manager manager =
            Manager.create(NOWHERE, ManagerOptions.defaults().withMetrics(new MicrometerMetrics(registry)));

    @AfterEach
    void close() {
        manager.close();
    }

    private static ManagedComponent component(String name, String cluster, ManagedComponent... companions) {
        return new ManagedComponent() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String cluster() {
                return cluster;
            }

            @Override
            public List<ManagedComponent> companions() {
                return List.of(companions);
            }

            @Override
            public void start() {}

            @Override
            public void stop(Duration grace) {}
        };
    }

    @Test
    void extensionIsCreatedOnceForAllThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<HostExtension> get = () -> HostExtension.of(manager);
            HostExtension first = HostExtension.of(manager);
            for (Future<HostExtension> extension : threads.invokeAll(Collections.nCopies(32, get))) {
                assertThat(extension.get()).isSameAs(first);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void extensionIsNotifiedOfComponentsBeforeAndAfterIt() {
        ManagedComponent before = component("before", "", component("companion", ""));
        manager.add(component("removed", ""));
        manager.remove(manager.components().get(0));
        manager.add(before);
        HostExtension extension = HostExtension.of(manager);
        assertThat(extension.host().manager()).isSameAs(manager);
        manager.add(component("after", ""));
        manager.remove(before);
        assertThat(extension.calls())
                .containsExactly(
                        "added before", "added companion", "added after", "removed before", "removed companion");
    }

    @Test
    void componentForAClusterIsRejectedUnlessItIsThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.add(component("a@east", "east")))
                .withMessage("Cannot add 'a@east': the manager has no cluster 'east'");
        Cluster east = HostExtension.connect(manager, "east", NOWHERE);
        manager.add(component("a@east", "east"));
        assertThat(east.sibling("")).contains(manager.home());
        assertThat(manager.home().sibling("east")).contains(east);
        assertThat(manager.home().sibling("west")).isEmpty();

        assertThat(HostExtension.of(manager).host().disconnect(east)).isTrue();

        assertThat(manager.components()).isEmpty();
        assertThat(manager.home().sibling("east")).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> manager.add(component("a@east", "east")));
    }

    @Test
    void clusterWhenItsNameIsThatOfAComponentLeavesNothing() {
        ManagedComponent taken = component("east", "");
        manager.add(taken);
        int before = registry.getMeters().size();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostExtension.connect(manager, "east", NOWHERE))
                .withMessageContaining("'east'");
        assertThat(manager.components()).containsExactly(taken);
        assertThat(manager.home().sibling("east")).isEmpty();
        assertThat(metersOf("east")).isEmpty();
        assertThat(registry.getMeters()).hasSize(before);
        manager.remove(taken);
        assertThat(HostExtension.connect(manager, "east", NOWHERE).name()).isEqualTo("east");
    }

    @Test
    void clusterWhenItsHealthCheckIsTakenLeavesNothing() {
        manager.addHealthCheck(new HealthCheck() {
            @Override
            public String name() {
                return "cache/east";
            }

            @Override
            public Health check() {
                return new Health(true, true, Map.of());
            }
        });
        assertThatIllegalArgumentException().isThrownBy(() -> HostExtension.connect(manager, "east", NOWHERE));
        assertThat(manager.components()).isEmpty();
        assertThat(metersOf("east")).isEmpty();
    }

    @Test
    void clusterWhenAnotherHasItsNameEndsNoMetricsOfThatOne() {
        Cluster east = HostExtension.connect(manager, "east", NOWHERE);
        east.cache().informer(ConfigMap.class);
        List<Meter.Id> before = metersOf("east");
        assertThat(before).isNotEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostExtension.connect(manager, "east", NOWHERE))
                .withMessage("The manager has a cluster 'east' already");
        assertThat(metersOf("east")).containsExactlyInAnyOrderElementsOf(before);
        assertThat(manager.home().sibling("east")).contains(east);
    }

    @Test
    void clusterWhenTheManagerHasStoppedIsRejectedAndLeavesNothing() {
        HostExtension extension = HostExtension.of(manager);
        manager.close();
        for (int i = 0; i < 2; i++) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> extension.host().connect("east", OptionalInt.empty(), NOWHERE));
        }
        assertThat(manager.home().sibling("east")).isEmpty();
        assertThat(metersOf("east")).isEmpty();
    }

    private List<Meter.Id> metersOf(String cluster) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> cluster.equals(id.getTag("cluster")))
                .toList();
    }

    static Stream<AbstractControllerBuilder<Request, ?>> builders() {
        return Stream.of(
                ControllerBuilder.of(ConfigMap.class).named("copy").reconciler((map, context) -> Result.done()),
                ControllerBuilder.forRequests("copy", Request.class)
                        .watches(ConfigMap.class, map -> List.of(Request.of(map)))
                        .reconciler((request, context) -> Result.done()));
    }

    @ParameterizedTest
    @MethodSource("builders")
    void controllersOfOneBuilderWorkInTheClustersThatTheyAreBuiltFor(AbstractControllerBuilder<Request, ?> builder) {
        Cluster east = HostExtension.connect(manager, "east", NOWHERE);
        manager.add(builder.build(manager, manager.home(), Map.of()));
        manager.add(builder.build(manager, east, Map.of()));
        assertThat(manager.components())
                .extracting(ManagedComponent::name, ManagedComponent::cluster)
                .containsExactly(tuple("east", "east"), tuple("copy", ""), tuple("copy@east", "east"));
        assertThat(manager.home().cache().kinds()).hasSize(1);
        assertThat(east.cache().kinds()).hasSize(1);
    }
}
