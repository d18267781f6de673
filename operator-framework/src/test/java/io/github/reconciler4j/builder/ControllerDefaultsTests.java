package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.fixtures.TestCache;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Options fall back from the controller to the manager to the defaults. */
class ControllerDefaultsTests {

    private static final GroupVersionKind DEPLOYMENT = GroupVersionKind.of("apps/v1", "Deployment");

    private final Scheme scheme = Scheme.create();
    private final TestCache cache = new TestCache(scheme);
    private final Manager manager = mock(Manager.class);
    private final Cluster home = mock(Cluster.class);

    @BeforeEach
    void prepareManager() {
        when(manager.scheme()).thenReturn(scheme);
        when(manager.cache()).thenReturn(cache.cache());
        when(manager.home()).thenReturn(home);
        when(manager.cluster("")).thenReturn(Optional.of(home));
        when(home.name()).thenReturn("");
        when(home.cache()).thenReturn(cache.cache());
        when(manager.options()).thenReturn(ManagerOptions.defaults().withMetrics(new RecordingMetrics()));
    }

    private void defaults(ControllerDefaults defaults) {
        when(manager.options())
                .thenReturn(ManagerOptions.defaults()
                        .withMetrics(new RecordingMetrics())
                        .withComponentDefaults(defaults));
    }

    private static ControllerBuilder<Deployment> deployments() {
        return ControllerBuilder.of(Deployment.class).requestReconciler((request, context) -> Result.done());
    }

    @Test
    void optionsWhenManagerHasNoDefaultsAreThoseDocumented() {
        assertThat(deployments().build(manager).options())
                .usingRecursiveComparison()
                .isEqualTo(ControllerOptions.defaults());
    }

    @Test
    void optionsWhenManagerHasDefaultsAreTheseUnlessTheControllerSetsThem() {
        ControllerOptions common = ControllerOptions.defaults()
                .withMaxConcurrentReconciles(4)
                .withCacheSyncTimeout(Duration.ofSeconds(7))
                .withReconcileTimeout(Duration.ofMinutes(1))
                .withFatalErrors(true);
        defaults(ControllerDefaults.of(common));
        assertThat(deployments().build(manager).options())
                .usingRecursiveComparison()
                .isEqualTo(common);
        assertThat(deployments()
                        .customizeOptions(options -> options.withMaxConcurrentReconciles(2))
                        .build(manager)
                        .options())
                .usingRecursiveComparison()
                .isEqualTo(common.withMaxConcurrentReconciles(2));
        assertThat(deployments()
                        .options(ControllerOptions.defaults())
                        .build(manager)
                        .options())
                .usingRecursiveComparison()
                .isEqualTo(ControllerOptions.defaults());
    }

    @Test
    void workersOfAKindReplaceTheDefaultAndYieldToTheController() {
        defaults(ControllerDefaults.of(ControllerOptions.defaults().withMaxConcurrentReconciles(4))
                .withWorkers(GroupVersionKind.of("apps/v1beta1", "Deployment"), 3)
                .withWorkers(DEPLOYMENT, 8));
        assertThat(workers(deployments())).isEqualTo(8);
        assertThat(workers(deployments().customizeOptions(options -> options.withMaxConcurrentReconciles(2))))
                .isEqualTo(2);
        assertThat(workers(
                        ControllerBuilder.of(ConfigMap.class).requestReconciler((request, context) -> Result.done())))
                .isEqualTo(4);
    }

    private int workers(ControllerBuilder<?> builder) {
        return builder.build(manager).operations().maxConcurrentReconciles();
    }

    @Test
    void workersWhenNotPositiveAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ControllerDefaults.of(ControllerOptions.defaults()).withWorkers(DEPLOYMENT, 0));
    }

    @Test
    void managerOptionsWhenTheyHaveDefaultsPassThemToItsControllers() {
        ControllerDefaults defaults =
                ControllerDefaults.of(ControllerOptions.defaults().withMaxConcurrentReconciles(5));
        try (Manager plain = Manager.create(config())) {
            assertThat(ControllerDefaults.of(plain).options())
                    .usingRecursiveComparison()
                    .isEqualTo(ControllerOptions.defaults());
        }
        ManagerOptions options = ManagerOptions.defaults().withComponentDefaults(defaults);
        try (Manager real = Manager.create(config(), options.withName("other"))) {
            assertThat(ControllerDefaults.of(real)).isEqualTo(defaults);
            assertThat(deployments().build(real).operations().maxConcurrentReconciles())
                    .isEqualTo(5);
        }
    }

    @Test
    void warmUpIsACompanionOfTheControllerIfAskedFor() {
        assertThat(deployments().addTo(manager).companions()).isEmpty();
        Controller<Request> warm = deployments()
                .customizeOptions(
                        options -> options.withPlacement(Placement.leader().withWarmUp(true)))
                .addTo(manager);
        verify(manager).add(warm);
        assertThat(warm.companions()).extracting(ManagedComponent::name).containsExactly("deployment-warm-up");
    }

    /** Return the configuration of a cluster that is never asked. */
    private static Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build();
    }
}
