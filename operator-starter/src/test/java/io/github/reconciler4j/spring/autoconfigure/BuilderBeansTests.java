package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that are builders, or lists of builders. */
class BuilderBeansTests extends OperatorContextFixture {

    @Configuration(proxyBeanMethods = false)
    static class Builders {

        @Bean
        ControllerBuilder<ConfigMap> maps(Manager manager) {
            return ControllerBuilder.of(ConfigMap.class)
                    .named("maps")
                    .customizeOptions(options -> options.withMaxConcurrentReconciles(5))
                    .requiredPermissions(RequiredPermission.onCore("configmaps", "patch"))
                    .reconciler((map, context) -> Result.done());
        }

        @Bean
        List<AbstractControllerBuilder<?, ?>> others() {
            RequestControllerBuilder<String> tenants = ControllerBuilder.forRequests("tenants", String.class)
                    .watches(Service.class, service -> List.of("a tenant"))
                    .reconciler((request, context) -> Result.done());
            return List.of(ControllerBuilder.of(Secret.class).reconciler((secret, context) -> Result.done()), tenants);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedMaps {

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> annotated() {
            return (map, context) -> Result.done();
        }
    }

    @Test
    void beanWhenItIsABuilderIsAController() {
        contextRunner.withUserConfiguration(Builders.class).run(context -> {
            assertThat(context).hasNotFailed();
            ReconcilerRegistry registry = context.getBean(ReconcilerRegistry.class);
            Controller<?> maps = controller(context.getBean(Manager.class), "maps");

            assertThat(registry.controllers().keySet()).containsExactly("maps", "secret", "tenants");
            assertThat(registry.controller("maps").orElseThrow()).isSameAs(maps);
            assertThat(maps.requiredPermissions().toString()).contains("configmaps", "patch");
            assertThat(registry.isOfObjects("maps")).isTrue();
            assertThat(registry.isOfObjects("tenants")).isFalse();
        });
    }

    @Test
    void propertiesWhenSetTakePrecedenceOverTheBuilder() {
        contextRunner
                .withUserConfiguration(Builders.class)
                .withPropertyValues(
                        "reconciler4j.controllers.maps.max-concurrent-reconciles=7",
                        "reconciler4j.controllers.maps.resync=1h",
                        "reconciler4j.controllers.maps.service-account=robots/maps",
                        "reconciler4j.controllers.tenants.max-backoff=2m",
                        "reconciler4j.all-controllers.stuck-after=9m")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Manager manager = context.getBean(Manager.class);

                    assertThat(controller(manager, "maps").options().maxConcurrentReconciles())
                            .isEqualTo(7);
                    assertThat(controller(manager, "maps").options().serviceAccount())
                            .isEqualTo("robots/maps");
                    assertThat(controller(manager, "tenants").options().maxBackoff())
                            .isEqualTo(Duration.ofMinutes(2));
                    assertThat(controller(manager, "secret").options().stuckAfter())
                            .isEqualTo(Duration.ofMinutes(9));
                });
    }

    @Test
    void optionsWhenNoPropertyIsSetAreThoseOfTheBuilder() {
        contextRunner
                .withUserConfiguration(Builders.class)
                .run(context -> assertThat(controller(context.getBean(Manager.class), "maps")
                                .options()
                                .maxConcurrentReconciles())
                        .isEqualTo(5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reconciler4j.enabled-controllers=*,-maps       | secret tenants
            reconciler4j.enabled-controllers=maps,tenants  | maps tenants
            reconciler4j.controllers.tenants.enabled=false | maps secret
            reconciler4j.all-controllers.enabled=false     | ''
            """)
    void controllersWhenPropertiesSelectSomeAreThese(String property, String expected) {
        contextRunner
                .withUserConfiguration(Builders.class)
                .withPropertyValues(property)
                .run(context -> {
                    ReconcilerRegistry registry = context.getBean(ReconcilerRegistry.class);
                    assertThat(String.join(" ", registry.controllers().keySet()))
                            .isEqualTo(expected);
                    assertThat(registry.controllers().size()
                                    + registry.disabledControllers().size())
                            .isEqualTo(3);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reconciler4j.enabled-controllers=*,-map        | [map]; known are [maps, secret, tenants]
            reconciler4j.controllers.map.resync=1h         | known controllers are [maps, secret, tenants]
            reconciler4j.controllers.tenants.resync=1h     | with requests of its own type
            reconciler4j.controllers.maps.storage=encoded  | that a builder declares
            """)
    void startWhenAPropertyFitsNoBuilderFails(String property, String message) {
        contextRunner
                .withUserConfiguration(Builders.class)
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    @Test
    void startWhenAReconcilerHasTheNameOfABuilderFails() {
        contextRunner
                .withUserConfiguration(Builders.class, AnnotatedMaps.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("'annotated'")
                        .hasMessageContaining("both have the controller name 'maps'"));
    }

    @Test
    void startWhenABuilderIsIncompleteNamesItsBean() {
        contextRunner
                .withBean(ControllerBuilder.class, () -> ControllerBuilder.of(ConfigMap.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("The builder in the bean '")
                        .hasMessageContaining("has no reconciler"));
    }
}
