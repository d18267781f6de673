package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.FieldValidation;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;

/** The beans of an operator, and how properties reach them. */
class OperatorAutoConfigurationTests extends OperatorContextFixture {

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
        contextRunner.withPropertyValues("reconciler4j.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(Manager.class);
            assertThat(context).doesNotHaveBean(HealthIndicator.class);
        });
    }

    @Test
    void schemeWhenUserHasOneIsTheManagers() {
        Scheme mine = Scheme.create();
        contextRunner
                .withBean(Scheme.class, () -> mine)
                .run(context -> assertThat(
                                context.getBean(Manager.class).options().scheme())
                        .isSameAs(mine));
    }

    @Test
    void propertiesWhenSetReachTheOptions() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.name=till",
                        "reconciler4j.mode=observe",
                        "reconciler4j.api-server-timeout=7s",
                        "reconciler4j.grace-period=8s",
                        "reconciler4j.start-jitter=5s",
                        "reconciler4j.preflight=fail",
                        "reconciler4j.cache.namespaces=red,blue",
                        "reconciler4j.cache.resync=9m",
                        "reconciler4j.cache.sync-timeout=10s")
                .run(context -> {
                    ManagerOptions options = context.getBean(Manager.class).options();
                    assertThat(options.name()).isEqualTo("till");
                    assertThat(options.client().mode()).isEqualTo(WriteMode.OBSERVE);
                    assertThat(options.lifecycle().apiServerTimeout()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(options.lifecycle().gracefulShutdown()).isEqualTo(Duration.ofSeconds(8));
                    assertThat(options.lifecycle().startJitter()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(options.lifecycle().preflight()).isEqualTo(Preflight.FAIL);
                    assertThat(options.cache()
                                    .of(Kind.of("v1", "Pod"))
                                    .namespaces()
                                    .named())
                            .containsExactlyInAnyOrder("red", "blue");
                    assertThat(options.cache().resync()).isEqualTo(Duration.ofMinutes(9));
                    assertThat(options.cache().syncTimeout()).isEqualTo(Duration.ofSeconds(10));
                });
    }

    @Test
    void clientPropertiesWhenSetReachTheOptions() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.client.request-timeout=11s",
                        "reconciler4j.client.qps=2.5",
                        "reconciler4j.client.max-concurrent-requests=4",
                        "reconciler4j.client.field-manager=till-operator",
                        "reconciler4j.client.field-validation=strict",
                        "reconciler4j.client.uncached=v1/Secret,apps/v1/Deployment")
                .run(context -> {
                    ClientOptions client =
                            context.getBean(Manager.class).options().client();
                    assertThat(client.timeout()).isEqualTo(Duration.ofSeconds(11));
                    assertThat(client.throttle().queriesPerSecond()).isEqualTo(2.5);
                    assertThat(client.throttle().burst()).isEqualTo(3);
                    assertThat(client.throttle().maxConcurrent()).isEqualTo(4);
                    assertThat(client.fieldManager()).contains("till-operator");
                    assertThat(client.fieldValidation()).contains(FieldValidation.STRICT);
                    assertThat(client.uncached())
                            .containsExactlyInAnyOrder(
                                    KindName.of("v1", "Secret"), KindName.of("apps/v1", "Deployment"));
                });
    }

    @Test
    void cachePropertiesWhenSetReachTheOptionsAndKindsInheritThem() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.cache.namespaces=red",
                        "reconciler4j.cache.label-selector=team=a",
                        "reconciler4j.cache.storage=encoded",
                        "reconciler4j.cache.kinds[v1/Secret].storage=metadata",
                        "reconciler4j.cache.kinds[v1/Pod].field-selector=spec.nodeName=n1",
                        "reconciler4j.cache.kinds[v1/Node].namespace-selector=team=b")
                .run(context -> {
                    CacheOptions cache =
                            context.getBean(Manager.class).options().cache();
                    KindCacheOptions secret = cache.of(Kind.of("v1", "Secret"));
                    assertThat(secret.storage()).isEqualTo(StorageForm.METADATA);
                    assertThat(secret.namespaces().named()).containsExactly("red");
                    assertThat(secret.selector().labels()).isEqualTo("team=a");
                    KindCacheOptions pod = cache.of(Kind.of("v1", "Pod"));
                    assertThat(pod.selector().fields()).isEqualTo("spec.nodeName=n1");
                    assertThat(pod.storage()).isEqualTo(StorageForm.ENCODED);
                    assertThat(cache.of(Kind.of("v1", "Node")).namespaces())
                            .isEqualTo(CachedNamespaces.matchingLabels("team=b"));
                });
    }

    @Test
    void watchPropertiesWhenSetReachTheOptions() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.cache.watch.min-lifetime=1m",
                        "reconciler4j.cache.watch.max-lifetime=2m",
                        "reconciler4j.cache.watch.idle-timeout=3m",
                        "reconciler4j.cache.watch.min-backoff=4s",
                        "reconciler4j.cache.watch.max-backoff=5s",
                        "reconciler4j.cache.watch.page-size=6",
                        "reconciler4j.cache.watch.list-mode=paged",
                        "reconciler4j.cache.watch.gzip-lists=false")
                .run(context -> {
                    WatchOptions watch =
                            context.getBean(Manager.class).options().cache().watch();
                    assertThat(watch.lifetimeMin()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(watch.lifetimeMax()).isEqualTo(Duration.ofMinutes(2));
                    assertThat(watch.idleTimeout()).isEqualTo(Duration.ofMinutes(3));
                    assertThat(watch.backoffMin()).isEqualTo(Duration.ofSeconds(4));
                    assertThat(watch.backoffMax()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(watch.pageSize()).isEqualTo(6);
                    assertThat(watch.listMode()).isEqualTo(WatchOptions.ListMode.PAGED);
                    assertThat(watch.gzipLists()).isFalse();
                });
    }

    @Test
    void eventPropertiesWhenSetReachTheOptions() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.events.domain=shops.example.com",
                        "reconciler4j.events.burst=3",
                        "reconciler4j.events.refill=4m",
                        "reconciler4j.events.series-end=5m",
                        "reconciler4j.events.queue-size=6",
                        "reconciler4j.events.flush-timeout=7s")
                .run(context -> {
                    EventOptions events =
                            context.getBean(Manager.class).options().events();
                    assertThat(events.domain()).isEqualTo("shops.example.com");
                    assertThat(events.burst()).isEqualTo(3);
                    assertThat(events.refill()).isEqualTo(Duration.ofMinutes(4));
                    assertThat(events.seriesEnd()).isEqualTo(Duration.ofMinutes(5));
                    assertThat(events.queueSize()).isEqualTo(6);
                    assertThat(events.flushTimeout()).isEqualTo(Duration.ofSeconds(7));
                });
    }

    @Test
    void electionPropertiesWhenSetReachTheOptions() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.name=till",
                        "reconciler4j.leader-election.enabled=true",
                        "reconciler4j.leader-election.namespace=tills",
                        "reconciler4j.leader-election.identity=me",
                        "reconciler4j.leader-election.lease-duration=30s",
                        "reconciler4j.leader-election.renew-deadline=20s",
                        "reconciler4j.leader-election.retry-period=3s",
                        "reconciler4j.leader-election.on-lost=rejoin",
                        "reconciler4j.leader-election.release-on-stop=false",
                        "reconciler4j.leader-election.labels.team=checkout")
                .run(context -> {
                    LeaderElectionOptions election = context.getBean(Manager.class)
                            .options()
                            .leaderElection()
                            .orElseThrow();
                    assertThat(election.leaseName()).isEqualTo("till");
                    assertThat(election.leaseNamespace()).isEqualTo("tills");
                    assertThat(election.identity()).isEqualTo("me");
                    assertThat(election.labels()).containsEntry("team", "checkout");
                    assertThat(election.timing().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(election.timing().renewDeadline()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(election.timing().retryPeriod()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(election.onLost()).isEqualTo(LeaderElectionOptions.OnLost.REJOIN);
                    assertThat(election.releaseOnStop()).isFalse();
                });
    }

    @Test
    void customizerWhenPresentHasTheLastWord() {
        contextRunner
                .withPropertyValues("reconciler4j.name=till")
                .withBean(ManagerOptionsCustomizer.class, () -> options -> options.withName(options.name() + "-2"))
                .run(context -> assertThat(
                                context.getBean(Manager.class).options().name())
                        .isEqualTo("till-2"));
    }

    @Test
    void metricsWhenARegistryExistsAreRecordedThere() {
        contextRunner
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(
                                context.getBean(Manager.class).options().metrics())
                        .asString()
                        .contains("MicrometerMetrics"));
    }

    @Test
    void healthWhenNotStartedIsNotReady() {
        contextRunner.run(context -> {
            HealthIndicator readiness = context.getBean("reconciler4jReadinessHealthIndicator", HealthIndicator.class);
            assertThat(readiness.health().getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void healthWhenSwitchedOffIsNotThere() {
        contextRunner
                .withPropertyValues("management.health.reconciler4j.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        contextRunner
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context).hasSingleBean(Manager.class));
    }
}
