package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.RunOn;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;

/** What {@code @Reconciler} sets overrides the defaults, and properties override {@code @Reconciler}. */
class ReconcilerAnnotationTests extends OperatorContextFixture {

    @Test
    void propertiesOfAllControllersWhenSetOverrideTheAnnotation() {
        contextRunner
                .withUserConfiguration(FullReconciler.class)
                .withPropertyValues(
                        "reconciler4j.all-controllers.max-concurrent-reconciles=2",
                        "reconciler4j.all-controllers.run-on=leader",
                        "reconciler4j.controllers.full.warm-up=false")
                .run(context -> {
                    ControllerOptions options =
                            controller(context.getBean(Manager.class), "full").options();
                    assertThat(options.maxConcurrentReconciles()).isEqualTo(2);
                    assertThat(options.reconcileTimeout()).isEqualTo(Duration.ofMinutes(3));
                    assertThat(options.placement()).isEqualTo(Placement.leader());
                });
    }

    @Test
    void annotationWhenSetOverridesTheCustomizers() {
        contextRunner
                .withUserConfiguration(FullReconciler.class, CustomizerOfAll.class)
                .run(context -> {
                    ControllerOptions options =
                            controller(context.getBean(Manager.class), "full").options();
                    assertThat(options.maxConcurrentReconciles()).isEqualTo(7);
                    assertThat(options.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(41));
                    assertThat(options.stuckAfter()).isEqualTo(Duration.ofSeconds(31));
                    assertThat(options.placement())
                            .isEqualTo(Placement.allReplicas().withWarmUp(true));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class CustomizerOfAll {

        @Bean
        ControllerCustomizer<ConfigurableController> all() {
            return controller -> controller.customizeOptions(
                    options -> options.withMaxConcurrentReconciles(30).withStuckAfter(Duration.ofSeconds(31)));
        }
    }

    @Test
    void annotationWhenItIsAMetaAnnotationIsMerged() {
        contextRunner
                .withUserConfiguration(ComposedReconciler.class, ComposedMethod.class)
                .run(context -> {
                    Manager manager = context.getBean(Manager.class);
                    assertThat(controller(manager, "composed").options().maxConcurrentReconciles())
                            .isEqualTo(4);
                    assertThat(controller(manager, "composed-method").options().maxConcurrentReconciles())
                            .isEqualTo(4);
                });
    }

    @Test
    void storageWhenSetByTheAnnotationAppliesUnlessThePropertyOfTheKindIsSet() {
        contextRunner
                .withUserConfiguration(FullReconciler.class)
                .run(context -> assertThat(storage(context)).isEqualTo(StorageForm.DECODED));
        contextRunner
                .withUserConfiguration(FullReconciler.class)
                .withPropertyValues("reconciler4j.all-controllers.storage=compact")
                .run(context -> assertThat(storage(context)).isEqualTo(StorageForm.COMPACT));
        contextRunner
                .withUserConfiguration(FullReconciler.class)
                .withPropertyValues("reconciler4j.cache.kinds.webpage.storage=encoded")
                .run(context -> assertThat(storage(context)).isEqualTo(StorageForm.ENCODED));
    }

    private static StorageForm storage(ApplicationContext context) {
        Manager manager = context.getBean(Manager.class);
        return manager.options()
                .cache()
                .of(Kind.of(manager.options().scheme().kindOf(WebPage.class).kind()))
                .storage();
    }

    @Reconciler(
            name = "full",
            maxConcurrentReconciles = "${nothing:7}",
            reconcileTimeout = "3m",
            resync = "1h",
            runOn = RunOn.ALL_REPLICAS,
            warmUp = true,
            storage = StorageForm.DECODED)
    static class FullReconciler extends ReconcilerBeansTests.PageReconciler {

        @Override
        public void customize(ControllerBuilder<WebPage> controller) {
            controller.options(ControllerOptions.defaults()
                    .withStuckAfter(Duration.ofSeconds(31))
                    .withMaxConcurrentReconciles(40)
                    .withCacheSyncTimeout(Duration.ofSeconds(41)));
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Reconciler(maxConcurrentReconciles = "4")
    @interface Composed {

        @AliasFor(annotation = Reconciler.class, attribute = "name")
        String called();
    }

    @Composed(called = "composed")
    static class ComposedReconciler extends ReconcilerBeansTests.PageReconciler {}

    @Configuration(proxyBeanMethods = false)
    static class ComposedMethod {

        @Bean
        @Composed(called = "composed-method")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }
    }
}
