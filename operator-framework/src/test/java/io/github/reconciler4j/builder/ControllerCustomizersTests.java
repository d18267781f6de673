package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.ClientOptions;
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
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An option comes from the overrides of the manager, the builder, the defaults of the manager, or the framework. */
class ControllerCustomizersTests {

    private static final KindName DEPLOYMENT = KindName.of("apps/v1", "Deployment");

    private final Scheme scheme = Scheme.create();
    private final TestCache cache = new TestCache(scheme);
    private final Manager manager = mock(Manager.class);
    private final Cluster home = mock(Cluster.class);

    @BeforeEach
    void prepareManager() {
        when(manager.cache()).thenReturn(cache.cache());
        when(manager.home()).thenReturn(home);
        when(home.sibling("")).thenReturn(Optional.of(home));
        when(home.name()).thenReturn("");
        when(home.cache()).thenReturn(cache.cache());
        when(manager.options())
                .thenReturn(ManagerOptions.defaults().withScheme(scheme).withMetrics(new RecordingMetrics()));
    }

    private void customizers(ControllerCustomizers customizers) {
        when(manager.options())
                .thenReturn(ManagerOptions.defaults()
                        .withScheme(scheme)
                        .withMetrics(new RecordingMetrics())
                        .withComponentDefaults(customizers));
    }

    private static ControllerCustomizer<ConfigurableController> with(UnaryOperator<ControllerOptions> change) {
        return controller -> controller.customizeOptions(change);
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
        customizers(ControllerCustomizers.none().withDefaults(with(options -> common)));
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
        customizers(ControllerCustomizers.none()
                .withDefaults(with(options -> options.withMaxConcurrentReconciles(4)))
                .withDefaults(controller -> {
                    if (controller.kind().filter(DEPLOYMENT::equals).isPresent()) {
                        controller.customizeOptions(options -> options.withMaxConcurrentReconciles(8));
                    }
                }));
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
    void overridesWhenTheBuilderAndTheDefaultsSetTheSameWin() {
        List<String> calls = new ArrayList<>();
        customizers(ControllerCustomizers.none()
                .withOverrides(controller -> calls.add("override " + controller.name()))
                .withOverrides(with(options -> options.withMaxConcurrentReconciles(9)))
                .withDefaults(controller -> calls.add("default " + controller.name()))
                .withDefaults(
                        with(options -> options.withMaxConcurrentReconciles(4).withFatalErrors(true))));
        ControllerOptions options = deployments()
                .named("apps")
                .customizeOptions(before -> {
                    calls.add("builder after " + before.maxConcurrentReconciles());
                    return before.withMaxConcurrentReconciles(2).withStuckAfter(Duration.ofSeconds(3));
                })
                .build(manager)
                .options();

        assertThat(calls).containsExactly("default apps", "builder after 4", "override apps");
        assertThat(options.maxConcurrentReconciles()).isEqualTo(9);
        assertThat(options.stuckAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.fatalErrors()).isTrue();
    }

    @Test
    void customizersWhenAControllerHasNoKindAreCalledWithItsName() {
        List<String> calls = new ArrayList<>();
        customizers(ControllerCustomizers.none()
                .withDefaults(controller -> calls.add(controller.name() + controller.kind())));
        ControllerBuilder.forRequests("tenants", String.class)
                .watches(ConfigMap.class, map -> List.of())
                .reconciler((request, context) -> Result.done())
                .build(manager);

        assertThat(calls).containsExactly("tenantsOptional.empty");
    }

    @Test
    void customizerWhenItThrowsFailsTheBuildWithItsError() {
        IllegalStateException error = new IllegalStateException("thrown by a customizer");
        customizers(ControllerCustomizers.none().withDefaults(controller -> {
            throw error;
        }));

        assertThatThrownBy(() -> deployments().build(manager)).isSameAs(error);
    }

    @Test
    void fieldManagerWhenTheClientHasOneForAllWritesIsRefused() {
        when(manager.options())
                .thenReturn(ManagerOptions.defaults()
                        .withScheme(scheme)
                        .withMetrics(new RecordingMetrics())
                        .withClient(ClientOptions.defaults().withFieldManager("shop")));
        ControllerBuilder<Deployment> builder =
                deployments().named("apps").customizeOptions(options -> options.withFieldManager("old"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.build(manager))
                .withMessageContaining("'fieldManager' of controller 'apps' has no effect");
    }

    @Test
    void managerOptionsWhenTheyHaveCustomizersPassThemToItsControllers() {
        ControllerCustomizers customizers =
                ControllerCustomizers.none().withDefaults(with(options -> options.withMaxConcurrentReconciles(5)));
        try (Manager plain = Manager.create(config())) {
            assertThat(ControllerCustomizers.of(plain)).isSameAs(ControllerCustomizers.none());
        }
        ManagerOptions options = ManagerOptions.defaults().withComponentDefaults(customizers);
        try (Manager real = Manager.create(config(), options.withName("other"))) {
            assertThat(ControllerCustomizers.of(real)).isSameAs(customizers);
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
