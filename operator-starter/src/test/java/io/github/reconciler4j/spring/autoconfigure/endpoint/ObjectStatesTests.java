package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ItemDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.StateDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.Why;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorEndpoint.Action;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorEndpoint.Filter;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Why an object is not reconciled now, where workers, other replicas or intervals are the reason. */
@Timeout(180)
class ObjectStatesTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final KubernetesServer server = KubernetesServer.start();
    private final CountDownLatch work = new CountDownLatch(1);

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(OperatorAutoConfiguration.class, OperatorEndpointAutoConfiguration.class))
            .withUserConfiguration(Reconcilers.class)
            .withBean(Config.class, server::clientConfig)
            .withBean(CountDownLatch.class, () -> work)
            .withPropertyValues(
                    "spring.application.name=shop", "management.endpoints.web.exposure.include=reconciler4j");

    @AfterEach
    void close() {
        work.countDown();
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        @Bean
        @Reconciler(name = "maps", maxConcurrentReconciles = "1")
        ObjectReconciler<ConfigMap> maps(CountDownLatch work) {
            return (map, context) -> {
                if (map.getMetadata().getName().startsWith("slow") && !work.await(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("The test has not ended");
                }
                return Result.done();
            };
        }

        @Bean
        @Reconciler(name = "services", minInterval = "1h")
        ObjectReconciler<Service> services() {
            return (service, context) -> Result.done();
        }
    }

    private static StateDescriptor state(ApplicationContext context, String controller, String name) {
        return Objects.requireNonNull(Objects.requireNonNull(context.getBean(OperatorEndpoint.class)
                        .object(controller, "default", name, null)
                        .getBody())
                .state());
    }

    private static StateDescriptor awaitState(ApplicationContext context, String controller, String name, Why why) {
        await(name + " is " + why)
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(state(context, controller, name).why()).isEqualTo(why));
        return state(context, controller, name);
    }

    private static void create(ApplicationContext context, String name) {
        context.getBean(Client.class)
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build());
    }

    @Test
    void stateWhenTheOnlyWorkerIsBusyIsRunningOrReady() {
        contextRunner.run(context -> {
            create(context, "slow");
            awaitState(context, "maps", "slow", Why.RUNNING);
            create(context, "waiting");
            awaitState(context, "maps", "waiting", Why.READY);
            List<ItemDescriptor> running = Objects.requireNonNull(
                            Objects.requireNonNull(context.getBean(OperatorEndpoint.class)
                                            .controller("maps", 0, null, Filter.RUNNING, null)
                                            .getBody())
                                    .objects())
                    .items();
            assertThat(running).extracting(ItemDescriptor::key).containsExactly("default/slow");
            work.countDown();
            awaitState(context, "maps", "waiting", Why.CHANGE);
        });
    }

    @Test
    void stateWhenMinIntervalHasNotPassedHasItsEnd() {
        contextRunner.run(context -> {
            awaitState(context, "services", "kubernetes", Why.CHANGE);
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            await("the first run is remembered")
                    .atMost(LONG)
                    .until(() -> !Objects.requireNonNull(endpoint.object("services", "default", "kubernetes", null)
                                    .getBody())
                            .runs()
                            .isEmpty());
            endpoint.change("services", Action.REQUEUE, "default", "kubernetes", null);
            StateDescriptor state = awaitState(context, "services", "kubernetes", Why.MIN_INTERVAL);
            assertThat(Instant.parse(Objects.requireNonNull(state.until())))
                    .isBetween(Instant.now().plusSeconds(3000), Instant.now().plusSeconds(3600));
        });
    }

    @Test
    void stateWhenTheOperatorDoesNotRunSaysSo() {
        contextRunner
                .withPropertyValues("reconciler4j.auto-startup=false")
                .run(context -> assertThat(state(context, "maps", "one").why()).isEqualTo(Why.NOT_RUNNING));
    }

    @Test
    void stateWhenAnotherReplicaLeadsNamesIt() {
        ApplicationContextRunner replica = contextRunner.withPropertyValues(
                "reconciler4j.leader-election.enabled=true", "reconciler4j.leader-election.namespace=default");
        replica.withPropertyValues("reconciler4j.leader-election.identity=first")
                .run(first -> {
                    awaitState(first, "maps", "one", Why.CHANGE);
                    replica.withPropertyValues("reconciler4j.leader-election.identity=second")
                            .run(second -> assertThat(awaitState(second, "maps", "one", Why.NOT_LEADER)
                                            .text())
                                    .isEqualTo("another replica leads: first"));
                });
    }

    @Test
    void stateWhenThisReplicaHoldsNotAllShardsSaysThatAnotherMayHaveTheObject() {
        ApplicationContextRunner replica = contextRunner.withPropertyValues(
                "reconciler4j.sharding.enabled=true", "reconciler4j.sharding.lease-namespace=default");
        replica.withPropertyValues("reconciler4j.sharding.shards=3", "reconciler4j.sharding.identity=first")
                .run(first -> {
                    create(first, "one");
                    awaitState(first, "maps", "one", Why.CHANGE);
                    replica.withPropertyValues(
                                    "reconciler4j.sharding.shards=4", "reconciler4j.sharding.identity=second")
                            .run(second -> awaitState(second, "maps", "one", Why.SHARD));
                });
    }
}
