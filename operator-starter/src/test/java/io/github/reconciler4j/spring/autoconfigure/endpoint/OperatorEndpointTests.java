package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.RunDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ControllerDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OperatorDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OutcomeDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ShardingDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorEndpoint.Action;
import io.github.reconciler4j.spring.autoconfigure.health.OperatorHealthAutoConfiguration;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Timeout(180)
class OperatorEndpointTests {

    private final KubernetesServer server = KubernetesServer.start();

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OperatorAutoConfiguration.class,
                    OperatorHealthAutoConfiguration.class,
                    OperatorEndpointAutoConfiguration.class))
            .withUserConfiguration(Reconcilers.class)
            .withBean(Config.class, server::clientConfig)
            .withPropertyValues(
                    "spring.application.name=shop",
                    "management.endpoints.web.exposure.include=reconciler4j",
                    "reconciler4j.enabled-controllers=*,-secrets");

    @AfterEach
    void closeServer() {
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        final AtomicBoolean works = new AtomicBoolean();

        /** How often the map {@code two} may be reconciled. */
        final Semaphore runsOfTwo = new Semaphore(0);

        @Bean
        @Reconciler(name = "maps", maxConcurrentReconciles = "2")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> {
                if (map.getMetadata().getName().equals("two")) {
                    runsOfTwo.acquire();
                }
                if (!works.get()) {
                    throw new IllegalStateException("no luck");
                }
                return Result.done();
            };
        }

        @Bean
        @Reconciler(name = "secrets")
        ObjectReconciler<Secret> secrets() {
            return (secret, context) -> Result.done();
        }
    }

    private static void create(Client client, String name) {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build());
    }

    private static ControllerDescriptor maps(OperatorEndpoint endpoint) {
        return body(endpoint.controller("maps", null, null, null, null));
    }

    private static <T> T body(WebEndpointResponse<T> response) {
        T body = response.getBody();
        assertThat(body).isNotNull();
        return body;
    }

    @Test
    void controllerShowsTheAccountThatWritesForIt() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.controllers.maps.service-account=shop/maps", "reconciler4j.auto-startup=false")
                .run(context -> assertThat(
                                maps(context.getBean(OperatorEndpoint.class)).serviceAccount())
                        .isEqualTo("shop/maps"));
        contextRunner
                .withPropertyValues("reconciler4j.auto-startup=false")
                .run(context -> assertThat(
                                maps(context.getBean(OperatorEndpoint.class)).serviceAccount())
                        .isEmpty());
    }

    @Test
    void endpointWhenNotExposedIsNotThere() {
        contextRunner
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=health", "reconciler4j.auto-startup=false")
                .run(context -> assertThat(context).doesNotHaveBean(OperatorEndpoint.class));
    }

    @Test
    void operatorWhenNotStartedShowsWhatThereIs() {
        contextRunner.withPropertyValues("reconciler4j.auto-startup=false").run(context -> {
            OperatorDescriptor operator =
                    context.getBean(OperatorEndpoint.class).operator();
            assertThat(operator.name()).isEqualTo("shop");
            assertThat(operator.running()).isFalse();
            assertThat(operator.disabledControllers()).containsExactly("secrets");
            assertThat(operator.controllers()).singleElement().satisfies(maps -> {
                assertThat(maps.state()).isEqualTo("NEW");
                assertThat(maps.queue()).isNull();
            });
        });
    }

    @Test
    void operatorWhenReplicasShareShardsShowsThoseOfThisOne() {
        contextRunner.run(context -> assertThat(
                        context.getBean(OperatorEndpoint.class).operator().sharding())
                .isNull());
        contextRunner
                .withPropertyValues(
                        "reconciler4j.sharding.enabled=true",
                        "reconciler4j.sharding.shards=3",
                        "reconciler4j.sharding.lease-namespace=default",
                        "reconciler4j.sharding.identity=me")
                .run(context -> {
                    OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
                    await("this replica holds all shards")
                            .atMost(Duration.ofSeconds(60))
                            .untilAsserted(() -> assertThat(endpoint.operator().sharding())
                                    .isEqualTo(
                                            new ShardingDescriptor("me", 3, List.of(0, 1, 2), 1, 0, 0, 3, 0, 0, "")));
                    assertThat(health(context)).contains("sharding={identity=me, shards=[0, 1, 2]", "acquired=3");
                });
    }

    @Test
    void operatorWhenOthersHaveAnotherNumberOfShardsShowsThatItWaits() {
        ApplicationContextRunner replica = contextRunner.withPropertyValues(
                "reconciler4j.sharding.enabled=true", "reconciler4j.sharding.lease-namespace=default");
        replica.withPropertyValues("reconciler4j.sharding.shards=3", "reconciler4j.sharding.identity=first")
                .run(first -> {
                    await("the first replica holds all shards")
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> sharding(first).shards().size() == 3);
                    replica.withPropertyValues(
                                    "reconciler4j.sharding.shards=4", "reconciler4j.sharding.identity=second")
                            .run(second -> {
                                await("the second replica waits")
                                        .atMost(Duration.ofSeconds(60))
                                        .until(() -> sharding(second).problem().contains("another number of shards"));
                                assertThat(sharding(second).shards()).isEmpty();
                                assertThat(health(second))
                                        .contains("another number of shards", "layout is 4-by_namespace");
                            });
                });
    }

    private static ShardingDescriptor sharding(ApplicationContext context) {
        ShardingDescriptor sharding =
                context.getBean(OperatorEndpoint.class).operator().sharding();
        assertThat(sharding).isNotNull();
        return sharding;
    }

    private static String health(ApplicationContext context) {
        HealthIndicator readiness = context.getBean("reconciler4jReadinessHealthIndicator", HealthIndicator.class);
        Health health = readiness.health();
        assertThat(health).isNotNull();
        return health.getStatus() + " " + health.getDetails();
    }

    @Test
    void operatorWhenKeysFailShowsThemUntilARequeueSucceeds() {
        contextRunner.run(context -> {
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            create(context.getBean(Client.class), "one");
            await("the key has failed often enough to wait long")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> maps(endpoint).failing().stream()
                            .anyMatch(failing -> failing.failures() >= 8 && failing.next() != null));

            OperatorDescriptor operator = endpoint.operator();
            assertThat(operator.running()).isTrue();
            assertThat(operator.leader()).isTrue();
            assertThat(operator.components())
                    .anyMatch(part -> part.name().equals("maps") && part.state().equals("RUNNING"));
            assertThat(operator.kinds())
                    .anyMatch(kind -> kind.kind().equals("ConfigMap.v1")
                            && kind.synced()
                            && kind.objects() >= 1
                            && kind.failure().isEmpty());
            assertThat(operator.leases()).isEmpty();
            ControllerDescriptor maps = operator.controllers().get(0);
            assertThat(maps.workers()).isEqualTo(2);
            assertThat(maps.queue()).isNotNull();
            assertThat(maps.failing()).anySatisfy(failing -> {
                assertThat(failing.key()).isEqualTo("default/one");
                assertThat(failing.error()).isEqualTo("IllegalStateException: no luck");
            });

            context.getBean(Reconcilers.class).works.set(true);
            assertThat(body(endpoint.change("maps", Action.REQUEUE, "default", "one", null)))
                    .isEqualTo(new OutcomeDescriptor(true, "enqueued"));
            await("it works now")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> maps(endpoint).failing().stream()
                            .noneMatch(failing -> failing.key().equals("default/one")));
        });
    }

    @Test
    void objectWhenItWasReconciledShowsItsRuns() {
        contextRunner.run(context -> {
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            await("the initial list is over")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> maps(endpoint).state().equals("RUNNING"));
            Semaphore allowed = context.getBean(Reconcilers.class).runsOfTwo;
            allowed.release(2);
            create(context.getBean(Client.class), "two");
            await("two runs")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> body(endpoint.object("maps", "default", "two", null))
                                    .runs()
                                    .size()
                            >= 2);
            List<RunDescriptor> runs =
                    body(endpoint.object("maps", "default", "two", null)).runs();
            RunDescriptor first = runs.get(runs.size() - 1);
            assertThat(first.attempt()).isEqualTo(1);
            assertThat(first.triggers()).containsExactly("ConfigMap.v1 default/two CREATED");
            assertThat(first.outcome()).isEqualTo("error");
            assertThat(first.error()).isEqualTo("java.lang.IllegalStateException: no luck");
            assertThat(first.requests()).isZero();
            assertThat(first.tookMillis()).isPositive();
            assertThat(first.reconcileId()).hasSize(36);
            allowed.release(1000);
            await("no more than ten are kept")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> body(endpoint.object("maps", "default", "two", null)).runs().stream()
                            .allMatch(run -> run.attempt() > 1));
            assertThat(body(endpoint.object("maps", "default", "two", null)).runs())
                    .hasSize(10);
            assertThat(body(endpoint.object("maps", "unknown", null)).runs()).isEmpty();
            assertThat(endpoint.object("none", "default", "two", null).getStatus())
                    .isEqualTo(404);
        });
    }

    @Test
    void changeWhenPauseOrResumeChangesTheController() {
        contextRunner.withPropertyValues("reconciler4j.auto-startup=false").run(context -> {
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            assertThat(body(endpoint.change("maps", Action.PAUSE, null, null, null))
                            .detail())
                    .isEqualTo("paused");
            assertThat(maps(endpoint).paused()).isTrue();
            endpoint.change("maps", Action.RESUME, null, null, null);
            assertThat(maps(endpoint).paused()).isFalse();
            assertThat(maps(endpoint).deletionsStopped()).isEmpty();
            assertThat(body(endpoint.change("maps", Action.RELEASE, null, null, null))
                            .detail())
                    .startsWith("its deletions had not stopped");
        });
    }

    @Test
    void changeWhenImpossibleReportsTheReason() {
        contextRunner.withPropertyValues("reconciler4j.auto-startup=false").run(context -> {
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            assertThat(endpoint.change("none", Action.PAUSE, null, null, null).getStatus())
                    .isEqualTo(404);
            assertThat(endpoint.controller("none", null, null, null, null).getStatus())
                    .isEqualTo(404);
            assertThat(endpoint.change("maps", Action.REQUEUE, "default", null, null)
                            .getStatus())
                    .isEqualTo(400);
            assertThat(body(endpoint.change("maps", Action.REQUEUE, "default", "one", null)))
                    .isEqualTo(new OutcomeDescriptor(false, "the controller does not run on this replica"));
        });
    }
}
