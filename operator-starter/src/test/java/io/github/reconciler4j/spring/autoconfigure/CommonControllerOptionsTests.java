package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.ControllerCustomizers;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings of all controllers are those of controllers added by hand, too. */
class CommonControllerOptionsTests {

    private static final Config CONFIG = new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:1")
            .build();

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
            .withBean(Config.class, () -> CONFIG)
            .withUserConfiguration(Controllers.class)
            .withPropertyValues("reconciler4j.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    static class Controllers {

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }

        @Bean
        Controller<Request> byHand(Manager manager) {
            return ControllerBuilder.of(Secret.class)
                    .named("by-hand")
                    .customizeOptions(options -> options.withStuckAfter(Duration.ofSeconds(9)))
                    .reconciler((secret, context) -> Result.done())
                    .addTo(manager);
        }
    }

    @Test
    void controllerWhenAddedByHandHasTheOptionsOfAll() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.all-controllers.max-concurrent-reconciles=7",
                        "reconciler4j.all-controllers.stuck-after=1m",
                        "reconciler4j.all-controllers.interruptTimeout=3s",
                        "reconciler4j.all-controllers.fatal-errors=true",
                        "reconciler4j.all-controllers.run-on=dedicated-lease",
                        "reconciler4j.controllers.maps.interruptTimeout=4s",
                        "reconciler4j.controllers.maps.fatal-errors=false",
                        "spring.threads.virtual.enabled=true")
                .run(context -> {
                    ControllerOptions byHand =
                            context.getBean("byHand", Controller.class).options();
                    assertThat(byHand.maxConcurrentReconciles()).isEqualTo(7);
                    assertThat(byHand.stuckAfter()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(byHand.interruptTimeout()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(byHand.fatalErrors()).isTrue();
                    assertThat(byHand.placement()).isEqualTo(Placement.leaseHolder("by-hand"));
                    assertThat(byHand.virtualThreads())
                            .isEqualTo(Runtime.version().feature() >= 21);
                    ControllerOptions maps = options(context.getBean(ReconcilerRegistry.class), "maps");
                    assertThat(maps.placement()).isEqualTo(Placement.leaseHolder("maps"));
                    assertThat(maps.interruptTimeout()).isEqualTo(Duration.ofSeconds(4));
                    assertThat(maps.fatalErrors()).isFalse();
                });
    }

    @Test
    void customizerOfAllSetsWhatPropertiesAndBuildersLeaveOpen() {
        contextRunner
                .withUserConfiguration(CustomizerOfAll.class)
                .withPropertyValues("reconciler4j.all-controllers.cache-sync-timeout=13s")
                .run(context -> {
                    ControllerOptions byHand =
                            context.getBean("byHand", Controller.class).options();
                    assertThat(byHand.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(13));
                    assertThat(byHand.stuckAfter()).isEqualTo(Duration.ofSeconds(9));
                    assertThat(byHand.maxConcurrentReconciles()).isEqualTo(6);
                    ControllerOptions maps = options(context.getBean(ReconcilerRegistry.class), "maps");
                    assertThat(maps.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(13));
                    assertThat(maps.stuckAfter()).isEqualTo(Duration.ofSeconds(12));
                    assertThat(maps.maxConcurrentReconciles()).isEqualTo(1);
                });
    }

    @Test
    void managerWhenItIsTheApplicationsOwnKeepsItsDefaults() {
        contextRunner
                .withBean(
                        Manager.class,
                        () -> Manager.create(
                                CONFIG,
                                ManagerOptions.defaults()
                                        .withComponentDefaults(ControllerCustomizers.none()
                                                .withDefaults(controller -> controller.customizeOptions(
                                                        options -> options.withStuckAfter(Duration.ofSeconds(5)))))))
                .run(context -> {
                    ControllerOptions maps = options(context.getBean(ReconcilerRegistry.class), "maps");
                    assertThat(maps.stuckAfter()).isEqualTo(Duration.ofSeconds(5));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class CustomizerOfAll {

        @Bean
        ControllerCustomizer<ConfigurableController> all() {
            return controller ->
                    controller.customizeOptions(options -> options.withCacheSyncTimeout(Duration.ofSeconds(11))
                            .withStuckAfter(Duration.ofSeconds(12))
                            .withMaxConcurrentReconciles(controller.name().equals("by-hand") ? 6 : 1));
        }
    }

    @Test
    void propertyOfOneControllerWhenItIsAddedByHandOverridesItsBuilder() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.all-controllers.stuck-after=1m",
                        "reconciler4j.controllers.by-hand.stuck-after=2m",
                        "reconciler4j.controllers.by-hand.field-manager=before")
                .run(context -> {
                    ControllerOptions byHand =
                            context.getBean("byHand", Controller.class).options();
                    assertThat(byHand.stuckAfter()).isEqualTo(Duration.ofMinutes(2));
                    assertThat(byHand.fieldManager()).contains("before");
                });
    }

    @Test
    void startWhenAnOptionOfAllIsWrongNamesTheProperty() {
        contextRunner
                .withPropertyValues("reconciler4j.all-controllers.interruptTimeout=-1s")
                .run(context -> {
                    FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription())
                            .contains("'reconciler4j.all-controllers.interrupt-timeout' ", "negative");
                });
    }

    private static ControllerOptions options(ReconcilerRegistry controllers, String name) {
        return controllers.controller(name).orElseThrow().options();
    }
}
