package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.HttpEngine;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.AccessNeed;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.Preflight;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.Access;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.health.OperatorHealthAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.metrics.OperatorMetricsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class OperatorAutoConfigurationTests {

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OperatorAutoConfiguration.class,
                    OperatorHealthAutoConfiguration.class,
                    OperatorMetricsAutoConfiguration.class))
            .withBean(
                    Config.class,
                    () -> new ConfigBuilder(Config.empty())
                            .withMasterUrl("https://127.0.0.1:1")
                            .build())
            .withPropertyValues("operator.auto-startup=false", "spring.application.name=shop");

    @Test
    void beansWhenNothingIsConfiguredAreThere() {
        contextRunner.run(context -> {
            assertThat(context).hasSingleBean(Manager.class);
            assertThat(context).hasSingleBean(Scheme.class);
            assertThat(context).hasSingleBean(Cache.class);
            assertThat(context).hasSingleBean(Client.class);
            assertThat(context).hasSingleBean(EventRecorder.class);
            assertThat(context.getBean(Manager.class).options().name()).isEqualTo("shop");
            assertThat(context.getBean(Manager.class).components()).isEmpty();
        });
    }

    @Test
    void beansWhenDisabledAreNotThere() {
        contextRunner.withPropertyValues("operator.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(Manager.class);
            assertThat(context).doesNotHaveBean(HealthIndicator.class);
        });
    }

    @Test
    void schemeWhenUserHasOneIsTheManagers() {
        Scheme mine = Scheme.create();
        contextRunner
                .withBean(Scheme.class, () -> mine)
                .run(context ->
                        assertThat(context.getBean(Manager.class).scheme()).isSameAs(mine));
    }

    @Test
    void propertiesWhenSetReachTheOptions() {
        contextRunner
                .withPropertyValues(
                        "operator.name=till",
                        "operator.mode=observe",
                        "operator.client.engine=sockets",
                        "operator.api-server-timeout=7s",
                        "operator.grace-period=8s",
                        "operator.start-jitter=5s",
                        "operator.preflight=fail",
                        "operator.cache.namespaces=red,blue",
                        "operator.cache.resync=9m",
                        "operator.cache.sync-timeout=10s",
                        "operator.leader-election.enabled=true",
                        "operator.leader-election.namespace=tills",
                        "operator.leader-election.identity=me",
                        "operator.leader-election.lease-duration=30s",
                        "operator.leader-election.renew-deadline=20s",
                        "operator.leader-election.retry-period=3s",
                        "operator.leader-election.when-lost=stand-again",
                        "operator.leader-election.release-on-stop=false",
                        "operator.leader-election.labels.team=checkout")
                .run(context -> {
                    ManagerOptions options = context.getBean(Manager.class).options();
                    assertThat(options.name()).isEqualTo("till");
                    assertThat(options.client().mode()).isEqualTo(WriteMode.OBSERVE);
                    assertThat(options.engine()).isEqualTo(HttpEngine.SOCKETS);
                    assertThat(options.lifecycle().apiServerTimeout()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(options.lifecycle().gracefulShutdown()).isEqualTo(Duration.ofSeconds(8));
                    assertThat(options.lifecycle().startJitter()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(options.lifecycle().preflight()).isEqualTo(Preflight.FAIL);
                    assertThat(options.cache()
                                    .of(GroupVersionKind.of("v1", "Pod"))
                                    .namespaces()
                                    .named())
                            .containsExactlyInAnyOrder("red", "blue");
                    assertThat(options.cache().resync()).isEqualTo(Duration.ofMinutes(9));
                    assertThat(options.cache().syncTimeout()).isEqualTo(Duration.ofSeconds(10));
                    LeaderElectionOptions election = options.leaderElection().orElseThrow();
                    assertThat(election.leaseName()).isEqualTo("till");
                    assertThat(election.leaseNamespace()).isEqualTo("tills");
                    assertThat(election.identity()).isEqualTo("me");
                    assertThat(election.labels()).containsEntry("team", "checkout");
                    assertThat(election.timing().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(election.timing().renewDeadline()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(election.timing().retryPeriod()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(election.whenLost()).isEqualTo(LeaderElectionOptions.WhenLost.STAND_AGAIN);
                    assertThat(election.releaseOnStop()).isFalse();
                });
    }

    @Test
    void customizerWhenPresentHasTheLastWord() {
        contextRunner
                .withPropertyValues("operator.name=till")
                .withBean(ManagerOptionsCustomizer.class, () -> options -> options.withName(options.name() + "-2"))
                .run(context -> assertThat(
                                context.getBean(Manager.class).options().name())
                        .isEqualTo("till-2"));
    }

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
                                .needs())
                        .containsExactlyInAnyOrder(
                                new AccessNeed("test.reconciler4j.io", "webpages", Set.of("list", "watch"), ""),
                                new AccessNeed("", "configmaps", Set.of("list", "watch"), ""),
                                new AccessNeed("", "configmaps", Set.of("create", "patch"), ""),
                                new AccessNeed("", "services", Set.of("create", "patch"), "")));
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
                        "operator.controller.max-concurrent-reconciles=2",
                        "operator.controller.reconcile-timeout=1m",
                        "operator.controllers.webpage.cache-sync-timeout=11s",
                        "operator.controllers.webpage.stuck-after=12s",
                        "operator.controllers.webpage.virtual-threads=true")
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
                .withPropertyValues("operator.controllers.webpage.max-concurrent-reconciles=9")
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

    @Test
    void metricsWhenThereIsARegistryGoThere() {
        contextRunner
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context ->
                        assertThat(context.getBean(Manager.class).metrics()).isInstanceOf(MicrometerMetrics.class));
    }

    @Test
    void healthWhenNotStartedIsNotReady() {
        contextRunner.run(context -> {
            HealthIndicator readiness = context.getBean("operatorReadinessHealthIndicator", HealthIndicator.class);
            assertThat(readiness.health().getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void healthWhenSwitchedOffIsNotThere() {
        contextRunner
                .withPropertyValues("management.health.operator.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        contextRunner
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context).hasSingleBean(Manager.class));
    }

    private static Controller<?> controller(Manager manager, String name) {
        return manager.components().stream()
                .filter(Controller.class::isInstance)
                .<Controller<?>>map(component -> (Controller<?>) component)
                .filter(controller -> controller.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no controller " + name + " in " + manager.components()));
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
