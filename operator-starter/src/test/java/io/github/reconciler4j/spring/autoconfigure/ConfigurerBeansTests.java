package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerConfigurer;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configurer beans add to the controllers of their type, and mistakes in them are reported with the fix. */
class ConfigurerBeansTests extends OperatorContextFixture {

    @Test
    void configurerWhenItsTypeIsThatOfOneControllerConfiguresIt() {
        contextRunner.withUserConfiguration(Lambdas.class).run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(controller(manager, "webpage").options().maxConcurrentReconciles())
                    .isEqualTo(3);
            assertThat(controller(manager, "tenants").options().maxConcurrentReconciles())
                    .isEqualTo(4);
        });
    }

    @Test
    void configurerWhenQualifiedConfiguresTheControllerOfThatName() {
        contextRunner.withUserConfiguration(Qualified.class).run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(controller(manager, "one").options().maxConcurrentReconciles())
                    .isEqualTo(1);
            assertThat(controller(manager, "two").options().maxConcurrentReconciles())
                    .isEqualTo(2);
        });
    }

    @ParameterizedTest
    @MethodSource
    void startWhenAConfigurerIsAmbiguousOrUselessReportsIt(Class<?>[] beans, String problem, String fix) {
        contextRunner.withUserConfiguration(beans).run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains(problem);
            assertThat(report.getAction()).contains(fix);
        });
    }

    static Stream<Arguments> startWhenAConfigurerIsAmbiguousOrUselessReportsIt() {
        return Stream.of(
                arguments(
                        new Class<?>[] {TwoOfOneKind.class, Ambiguous.class},
                        "there are several: [one, two]",
                        "@Qualifier"),
                arguments(new Class<?>[] {Ambiguous.class}, "no @Reconciler bean is for that type", "Correct the type"),
                arguments(new Class<?>[] {Misnamed.class}, "known controllers are [one, two]", "Correct @Qualifier"),
                arguments(new Class<?>[] {Raw.class}, "without a type argument", "return type"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Lambdas {

        @Bean
        @Reconciler
        ObjectReconciler<WebPage> pages() {
            return (page, context) -> Result.done();
        }

        @Bean
        ControllerConfigurer<WebPage> pagesConfigurer() {
            return builder -> workers(builder, 3);
        }

        @Bean
        @Reconciler
        RequestReconciler<Tenant> tenants() {
            return (tenant, context) -> Result.done();
        }

        @Bean
        RequestControllerConfigurer<Tenant> tenantsConfigurer() {
            return ConfigurerBeansTests::configure;
        }
    }

    private record Tenant(String name) {}

    private static void configure(RequestControllerBuilder<Tenant> builder) {
        builder.watches(
                        ConfigMap.class,
                        map -> List.of(new Tenant(map.getMetadata().getName())))
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(4));
    }

    private static <T extends HasMetadata> void workers(ControllerBuilder<T> builder, int workers) {
        builder.options(ControllerOptions.defaults().withMaxConcurrentReconciles(workers));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfOneKind {

        @Bean
        @Reconciler(name = "one")
        ObjectReconciler<WebPage> one() {
            return (page, context) -> Result.done();
        }

        @Bean
        @Reconciler(name = "two")
        ObjectReconciler<WebPage> two() {
            return (page, context) -> Result.done();
        }
    }

    static class Qualified extends TwoOfOneKind {

        @Bean
        @Qualifier("two")
        ControllerConfigurer<WebPage> ofTwo() {
            return builder -> workers(builder, 2);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ambiguous {

        @Bean
        ControllerConfigurer<WebPage> ofWhich() {
            return builder -> workers(builder, 2);
        }
    }

    static class Misnamed extends TwoOfOneKind {

        @Bean
        @Qualifier("three")
        ControllerConfigurer<WebPage> ofThree() {
            return builder -> workers(builder, 2);
        }
    }

    static class Raw extends TwoOfOneKind {

        @Bean
        @SuppressWarnings("rawtypes")
        ControllerConfigurer raw() {
            return builder -> {};
        }
    }
}
