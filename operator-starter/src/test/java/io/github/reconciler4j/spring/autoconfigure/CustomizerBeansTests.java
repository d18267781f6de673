package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
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
import org.springframework.core.annotation.Order;

/** Customizer beans add to the controllers of their type, and mistakes in them are reported with the fix. */
class CustomizerBeansTests extends OperatorContextFixture {

    @Test
    void customizerWhenItsTypeIsThatOfOneControllerConfiguresIt() {
        contextRunner.withUserConfiguration(Lambdas.class).run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(controller(manager, "webpage").options().maxConcurrentReconciles())
                    .isEqualTo(3);
            assertThat(controller(manager, "tenants").options().maxConcurrentReconciles())
                    .isEqualTo(4);
        });
    }

    @Test
    void customizerWhenQualifiedConfiguresTheControllerOfThatName() {
        contextRunner.withUserConfiguration(Qualified.class).run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(controller(manager, "one").options().maxConcurrentReconciles())
                    .isEqualTo(1);
            assertThat(controller(manager, "two").options().maxConcurrentReconciles())
                    .isEqualTo(2);
        });
    }

    @Test
    void customizerWhenSeveralControllersHaveItsTypeCustomizesThemAll() {
        contextRunner.withUserConfiguration(TwoOfOneKind.class, OfTheKind.class).run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(controller(manager, "one").options().maxConcurrentReconciles())
                    .isEqualTo(2);
            assertThat(controller(manager, "two").options().maxConcurrentReconciles())
                    .isEqualTo(2);
        });
    }

    @Test
    void customizersWhenThereAreSeveralAreCalledInTheirOrderAfterTheReconciler() {
        contextRunner.withUserConfiguration(Ordered.class).run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(controller(manager, "ordered").options().fieldManager()).contains("all-reconciler-first-second");
        });
    }

    @ParameterizedTest
    @MethodSource
    void startWhenACustomizerIsUselessReportsIt(Class<?>[] beans, String problem, String fix) {
        contextRunner.withUserConfiguration(beans).run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains(problem);
            assertThat(report.getAction()).contains(fix);
        });
    }

    static Stream<Arguments> startWhenACustomizerIsUselessReportsIt() {
        return Stream.of(
                arguments(
                        new Class<?>[] {OfTheKind.class},
                        "no @Reconciler bean has a controller of that type",
                        "Correct the type"),
                arguments(
                        new Class<?>[] {OtherType.class},
                        "the controller 'two' has a io.github.reconciler4j.builder.ControllerBuilder",
                        "Correct the type"),
                arguments(
                        new Class<?>[] {QualifiedOfAll.class},
                        "its type argument stands for all controllers",
                        "Correct @Qualifier"),
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
        ControllerCustomizer<ControllerBuilder<WebPage>> pagesCustomizer() {
            return builder -> workers(builder, 3);
        }

        @Bean
        @Reconciler
        RequestReconciler<Tenant> tenants() {
            return (tenant, context) -> Result.done();
        }

        @Bean
        ControllerCustomizer<RequestControllerBuilder<Tenant>> tenantsCustomizer() {
            return CustomizerBeansTests::configure;
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
        ControllerCustomizer<ControllerBuilder<WebPage>> ofTwo() {
            return builder -> workers(builder, 2);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheKind {

        @Bean
        ControllerCustomizer<ControllerBuilder<WebPage>> ofTheKind() {
            return builder -> workers(builder, 2);
        }
    }

    static class Misnamed extends TwoOfOneKind {

        @Bean
        @Qualifier("three")
        ControllerCustomizer<ControllerBuilder<WebPage>> ofThree() {
            return builder -> workers(builder, 2);
        }
    }

    static class Raw extends TwoOfOneKind {

        @Bean
        @SuppressWarnings("rawtypes")
        ControllerCustomizer raw() {
            return builder -> {};
        }
    }

    static class OtherType extends TwoOfOneKind {

        @Bean
        @Qualifier("two")
        ControllerCustomizer<RequestControllerBuilder<Tenant>> tenants() {
            return builder -> {};
        }
    }

    static class QualifiedOfAll extends TwoOfOneKind {

        @Bean
        @Qualifier("two")
        ControllerCustomizer<ConfigurableController> all() {
            return controller -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ordered {

        @Bean
        @Order(2)
        ControllerCustomizer<ControllerBuilder<?>> second() {
            return builder -> append(builder, "-second");
        }

        @Bean
        @Order(1)
        ControllerCustomizer<ControllerBuilder<WebPage>> first() {
            return builder -> append(builder, "-first");
        }

        @Bean
        ControllerCustomizer<ConfigurableController> all() {
            return controller -> controller.customizeOptions(options -> options.withFieldManager("all"));
        }

        @Bean
        OrderedReconciler ordered() {
            return new OrderedReconciler();
        }
    }

    @Reconciler(name = "ordered")
    static class OrderedReconciler
            implements ObjectReconciler<WebPage>, ControllerCustomizer<ControllerBuilder<WebPage>> {

        @Override
        public Result reconcile(WebPage page, ReconcileContext context) {
            return Result.done();
        }

        @Override
        public void customize(ControllerBuilder<WebPage> controller) {
            append(controller, "-reconciler");
        }
    }

    private static void append(ControllerBuilder<?> builder, String text) {
        builder.customizeOptions(
                options -> options.withFieldManager(options.fieldManager().orElse("") + text));
    }
}
