package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Access;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
    void reconcilerWhenItDeclaresRightsAsksForTheseAndItsWatches() {
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
    void controllerPropertiesWhenSetComeBeforeTheAnnotation() {
        contextRunner
                .withUserConfiguration(PageReconciler.class)
                .withPropertyValues(
                        "page.workers=5",
                        "reconciler4j.all-controllers.max-concurrent-reconciles=2",
                        "reconciler4j.all-controllers.reconcile-timeout=1m",
                        "reconciler4j.controllers.webpage.cache-sync-timeout=11s",
                        "reconciler4j.controllers.webpage.stuck-after=12s",
                        "reconciler4j.controllers.webpage.virtual-threads=true")
                .run(context -> {
                    var options = controller(context.getBean(Manager.class), "webpage")
                            .options();
                    assertThat(options.maxConcurrentReconciles()).isEqualTo(5);
                    assertThat(options.runs().timeout()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(options.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(11));
                    assertThat(options.runs().stuckAfter()).isEqualTo(Duration.ofSeconds(12));
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

    @Test
    void startWhenTwoReconcilersHaveOneNameFails() {
        contextRunner
                .withUserConfiguration(PageReconciler.class, LambdaReconciler.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("'webpage'")
                        .hasMessageContaining("@Reconciler(name = ...)"));
    }

    @Test
    void startWhenTheKindCannotBeToldFails() {
        contextRunner
                .withUserConfiguration(RawReconciler.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("'raw'")
                        .hasMessageContaining("type argument"));
    }

    @Test
    void startWhenARequestReconcilerNamesNoKindFails() {
        contextRunner
                .withUserConfiguration(KindlessReconciler.class)
                .run(context -> assertThat(context.getStartupFailure()).hasMessageContaining("forType"));
    }

    @Reconciler(
            owns = ConfigMap.class,
            access =
                    @Access(
                            resources = {"configmaps", "services"},
                            verbs = {"create", "patch"}),
            maxConcurrentReconciles = "${page.workers:3}")
    static class PageReconciler implements ObjectReconciler<WebPage>, ControllerConfigurer<WebPage> {

        final AtomicBoolean configured = new AtomicBoolean();

        @Override
        public void configure(ControllerBuilder<WebPage> controller) {
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
        @Reconciler(name = "maps", forType = ConfigMap.class)
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
