package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** Reconcilers become controllers. */
class ReconcilerBeansTests extends OperatorContextFixture {

    @Test
    void reconcilerWhenClassIsAnnotatedGetsAController() {
        contextRunner.withUserConfiguration(PageReconciler.class).run(context -> {
            Controller<?> controller = controller(context.getBean(Manager.class), "webpage");
            assertThat(controller.options().maxConcurrentReconciles()).isEqualTo(3);
            assertThat(context.getBean(PageReconciler.class).configured)
                    .as("configured")
                    .isTrue();
        });
    }

    @Test
    void reconcilerWhenItDeclaresPermissionsRequiresTheseAndItsWatches() {
        contextRunner
                .withUserConfiguration(PageReconciler.class)
                .run(context -> assertThat(controller(context.getBean(Manager.class), "webpage")
                                .requiredPermissions())
                        .containsExactlyInAnyOrder(
                                RequiredPermission.on("test.reconciler4j.io", "webpages", "list", "watch"),
                                RequiredPermission.onCore("configmaps", "list", "watch"),
                                RequiredPermission.onCore("configmaps", "create", "patch"),
                                RequiredPermission.onCore("services", "create", "patch")));
    }

    @Test
    void reconcilerWhenBeanMethodIsAnnotatedGetsAController() {
        contextRunner.withUserConfiguration(LambdaReconciler.class).run(context -> {
            assertThat(controller(context.getBean(Manager.class), "webpage")).isNotNull();
            assertThat(controller(context.getBean(Manager.class), "maps")).isNotNull();
        });
    }

    @Test
    void reconcilerWhenProxiedKeepsItsName() {
        contextRunner.withUserConfiguration(PageReconciler.class, Proxies.class).run(context -> {
            assertThat(context.getBean(PageReconciler.class).getClass().getName())
                    .contains("$$");
            assertThat(controller(context.getBean(Manager.class), "webpage")).isNotNull();
        });
    }

    @Test
    void controllerPropertiesWhenSetOverrideTheAnnotation() {
        contextRunner
                .withUserConfiguration(PageReconciler.class)
                .withPropertyValues(
                        "page.workers=5",
                        "reconciler4j.all-controllers.reconcile-timeout=1m",
                        "reconciler4j.controllers.webpage.cache-sync-timeout=11s",
                        "reconciler4j.controllers.webpage.stuck-after=12s",
                        "reconciler4j.controllers.webpage.virtual-threads=true")
                .run(context -> {
                    var options = controller(context.getBean(Manager.class), "webpage")
                            .options();
                    assertThat(options.maxConcurrentReconciles()).isEqualTo(5);
                    assertThat(options.reconcileTimeout()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(options.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(11));
                    assertThat(options.stuckAfter()).isEqualTo(Duration.ofSeconds(12));
                    assertThat(options.virtualThreads()).isTrue();
                });
        contextRunner
                .withUserConfiguration(PageReconciler.class)
                .withPropertyValues("reconciler4j.controllers.webpage.max-concurrent-reconciles=9")
                .run(context -> assertThat(controller(context.getBean(Manager.class), "webpage")
                                .options()
                                .maxConcurrentReconciles())
                        .isEqualTo(9));
    }

    @Test
    void virtualThreadsWhenTheApplicationUsesThemAreUsed() {
        contextRunner
                .withUserConfiguration(PageReconciler.class)
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> assertThat(controller(context.getBean(Manager.class), "webpage")
                                .options()
                                .virtualThreads())
                        .isEqualTo(Runtime.version().feature() >= 21));
    }

    @ParameterizedTest
    @MethodSource
    void startWhenADeclarationIsInvalidReportsTheBeanAndTheFix(Class<?>[] beans, String problem, String fix) {
        contextRunner.withUserConfiguration(beans).run(context -> {
            FailureAnalysis report = report(context.getStartupFailure());
            assertThat(report.getDescription()).contains(problem);
            assertThat(report.getAction()).contains(fix);
        });
    }

    /** Return what Spring Boot prints. The class path decides the order of analyzers that have none; ours is last here. */
    private static FailureAnalysis report(Throwable failure) {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                                .and(Environment.class, new StandardEnvironment()),
                        (type, name, missing) -> {}); // some need libraries that are not here
        Collections.reverse(analyzers);
        AnnotationAwareOrderComparator.sort(analyzers);
        return analyzers.stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    static Stream<Arguments> startWhenADeclarationIsInvalidReportsTheBeanAndTheFix() {
        return Stream.of(
                arguments(
                        new Class<?>[] {PageReconciler.class, LambdaReconciler.class},
                        "both have the controller name 'webpage'",
                        "@Reconciler(name = ...)"),
                arguments(new Class<?>[] {RawReconciler.class}, "'raw'", "type argument"),
                arguments(new Class<?>[] {KindlessReconciler.class}, "'kindless'", "'value'"),
                arguments(new Class<?>[] {KindlessGeneric.class}, "without naming the kind", "Add 'kind'"),
                arguments(new Class<?>[] {HalfNamedKind.class}, "write 'group/version/Kind'", "Correct 'kind'"),
                arguments(new Class<?>[] {TwoTypes.class}, "by @Reconciler(value)", "Remove 'value'"),
                arguments(
                        new Class<?>[] {NoKind.class},
                        "not the class of a Kubernetes kind",
                        "subclass of CustomResource"),
                arguments(
                        new Class<?>[] {NotANumber.class},
                        "'max-concurrent-reconciles' in @Reconciler of the bean 'reconcilerBeansTests.NotANumber' has an invalid value: 'many'"
                                + " cannot be converted to Integer",
                        "Correct the annotation"),
                arguments(
                        new Class<?>[] {NegativeTimeout.class},
                        "'reconcile-timeout' in @Reconciler of the bean 'reconcilerBeansTests.NegativeTimeout' has an invalid value",
                        "Correct the annotation"),
                arguments(
                        new Class<?>[] {UnknownPlaceholder.class, PropertySourcesPlaceholderConfigurer.class},
                        "'max-concurrent-reconciles' in @Reconciler of the bean 'reconcilerBeansTests.UnknownPlaceholder' has an"
                                + " invalid value: Could not resolve placeholder 'absent'",
                        "Correct the annotation"),
                arguments(
                        new Class<?>[] {BlankPermission.class},
                        "'reconcilerBeansTests.BlankPermission' has an invalid @Permission: 'resource' must not be blank",
                        "Correct the annotation"));
    }

    @Test
    void reconcilerWhenItsKindHasNoClassGetsAController() {
        contextRunner.withUserConfiguration(GenericReconciler.class).run(context -> {
            assertThat(controller(context.getBean(Manager.class), "policy").requiredPermissions())
                    .contains(RequiredPermission.on("example.com", "policies", "list", "watch"));
            assertThat(context.getBean(ReconcilerRegistry.class).kinds())
                    .containsExactly(KindName.of("example.com/v1", "Policy"));
        });
    }

    @Test
    void registryWhenReadCreatesNoReconciler() {
        contextRunner
                .withUserConfiguration(PageReconciler.class, Untouchable.class)
                .withPropertyValues("reconciler4j.enabled-controllers=webpage")
                .run(context -> {
                    ReconcilerRegistry registry = context.getBean(ReconcilerRegistry.class);
                    assertThat(registry.reconcilers()).containsOnlyKeys("webpage", "untouchable");
                    ReconcilerBean page = registry.reconcilers().get("webpage");
                    assertThat(page.beanName()).isEqualTo("reconcilerBeansTests.PageReconciler");
                    assertThat(page.kinds())
                            .containsExactlyInAnyOrder(
                                    KindName.of("test.reconciler4j.io/v1", "WebPage"), KindName.of("v1", "ConfigMap"));
                    assertThat(page.declaredPermissions())
                            .extracting(RequiredPermission::resource)
                            .containsExactly("configmaps", "services");
                    assertThat(registry.disabledControllers()).containsExactly("untouchable");
                });
    }

    @Reconciler(maxConcurrentReconciles = "${absent}")
    static class UnknownPlaceholder extends Reconciles<ConfigMap> {}

    @Reconciler(permissions = @Permission(resources = "", verbs = "get"))
    static class BlankPermission extends Reconciles<ConfigMap> {}

    @Reconciler(kind = "example.com/v1/Policy")
    static class GenericReconciler extends Reconciles<GenericKubernetesResource> {}

    @Reconciler
    static class KindlessGeneric extends Reconciles<GenericKubernetesResource> {}

    @Reconciler(kind = "Policy")
    static class HalfNamedKind extends Reconciles<GenericKubernetesResource> {}

    @Reconciler(ConfigMap.class)
    static class TwoTypes extends Reconciles<WebPage> {}

    @Reconciler
    static class NoKind extends Reconciles<HasMetadata> {}

    @Reconciler(maxConcurrentReconciles = "many")
    static class NotANumber extends Reconciles<WebPage> {}

    @Reconciler(reconcileTimeout = "-1s")
    static class NegativeTimeout extends Reconciles<WebPage> {}

    @Lazy
    @Reconciler(name = "untouchable")
    static class Untouchable extends Reconciles<ConfigMap> {

        Untouchable() {
            throw new AssertionError("a disabled reconciler was created");
        }
    }

    abstract static class Reconciles<T extends HasMetadata> implements ObjectReconciler<T> {

        @Override
        public Result reconcile(T object, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler(
            owns = ConfigMap.class,
            permissions =
                    @Permission(
                            resources = {"configmaps", "services"},
                            verbs = {"create", "patch"}),
            maxConcurrentReconciles = "${page.workers:3}")
    static class PageReconciler implements ObjectReconciler<WebPage>, ControllerCustomizer<ControllerBuilder<WebPage>> {

        final AtomicBoolean configured = new AtomicBoolean();

        @Override
        public void customize(ControllerBuilder<WebPage> controller) {
            configured.set(true);
        }

        @Override
        public Result reconcile(WebPage page, ReconcileContext context) {
            return Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaReconciler {

        @Bean
        @Reconciler(owns = ConfigMap.class)
        ObjectReconciler<WebPage> pages() {
            return (page, context) -> Result.done();
        }

        @Bean
        @Reconciler(name = "maps", value = ConfigMap.class)
        RequestReconciler<Request> maps() {
            return (request, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RawReconciler {

        @Bean
        @Reconciler
        @SuppressWarnings("rawtypes")
        ObjectReconciler raw() {
            return (page, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class KindlessReconciler {

        @Bean
        @Reconciler
        RequestReconciler<Request> kindless() {
            return (request, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxies {

        @Bean
        static BeanPostProcessor proxies() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (!(bean instanceof PageReconciler)) {
                        return bean;
                    }
                    ProxyFactory factory = new ProxyFactory(bean);
                    factory.setProxyTargetClass(true);
                    return factory.getProxy();
                }
            };
        }
    }
}
