package io.github.reconciler4j.spring.autoconfigure.observation;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.observation.ApiRequestObservationContext;
import io.github.reconciler4j.spring.observation.DefaultReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.OperatorObservation;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.common.KeyValue;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Timeout(180)
class OperatorObservationTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final TestObservationRegistry registry = TestObservationRegistry.create();

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(OperatorAutoConfiguration.class, OperatorObservationAutoConfiguration.class))
            .withUserConfiguration(Copier.class)
            .withBean(Config.class, server::clientConfig)
            .withPropertyValues("spring.application.name=shop");

    @AfterEach
    void closeServer() {
        server.close();
    }

    /** Copies the map {@code one}, and fails for the map {@code bad}. */
    @Configuration(proxyBeanMethods = false)
    static class Copier {

        final List<String> ids = new CopyOnWriteArrayList<>();

        @Bean
        @Reconciler(name = "copier")
        ObjectReconciler<ConfigMap> copier(Client client) {
            return (map, context) -> {
                String name = map.getMetadata().getName();
                if (name.equals("one")) {
                    ids.add(MDC.get("reconcileID"));
                    client.create(map("copy"));
                } else if (name.equals("bad")) {
                    throw new IllegalStateException("no copy");
                }
                return Result.done();
            };
        }
    }

    static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private void awaitOutcome(String name, String outcome) {
        await(outcome + " of " + name)
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(registry)
                        .hasAnObservation(observed -> observed.hasNameEqualTo("reconciler4j.reconcile")
                                .hasHighCardinalityKeyValue("name", name)
                                .hasLowCardinalityKeyValue("outcome", outcome)));
    }

    @Test
    @SuppressWarnings("unchecked") // the assertion is of a raw type
    void reconciliationWhenItWritesIsObservedWithItsRequests() {
        contextRunner.withBean(ObservationRegistry.class, () -> registry).run(context -> {
            context.getBean(Client.class).create(map("one"));
            awaitOutcome("one", "success");

            String id = context.getBean(Copier.class).ids.get(0);
            assertThat(registry)
                    .hasAnObservation(observed -> observed.hasNameEqualTo("reconciler4j.reconcile")
                            .hasContextualNameEqualTo("reconcile copier")
                            .hasLowCardinalityKeyValue("controller", "copier")
                            .hasLowCardinalityKeyValue("cluster", "home")
                            .hasLowCardinalityKeyValue("kind", "ConfigMap.v1")
                            .hasLowCardinalityKeyValue("trigger", "created")
                            .hasHighCardinalityKeyValue("namespace", "default")
                            .hasHighCardinalityKeyValue("reconcile.id", id)
                            .hasHighCardinalityKeyValue("attempt", "1")
                            .hasHighCardinalityKeyValue("triggers", "ConfigMap.v1 default/one CREATED"));
            assertThat(registry)
                    .hasAnObservation(observed -> observed.hasNameEqualTo("reconciler4j.api.request")
                            .hasContextualNameEqualTo("create configmaps")
                            .hasParentObservationContextMatching(
                                    parent -> parent instanceof ReconcileObservationContext run
                                            && run.run().context().reconcileId().equals(id))
                            .hasLowCardinalityKeyValue("verb", "create")
                            .hasLowCardinalityKeyValue("kind", "ConfigMap.v1")
                            .hasLowCardinalityKeyValue("subresource", "none")
                            .hasLowCardinalityKeyValue("status", "201")
                            .hasHighCardinalityKeyValue("name", "copy")
                            .hasHighCardinalityKeyValue("url.path", "/api/v1/namespaces/default/configmaps"));
            assertThat(registry).doesNotHaveAnyRemainingCurrentObservation();
        });
    }

    @Test
    void reconciliationWhenItFailsHasTheErrorAndItsRetriesSaySo() {
        contextRunner.withBean(ObservationRegistry.class, () -> registry).run(context -> {
            context.getBean(Client.class).create(map("bad"));
            awaitOutcome("bad", "error");
            await("the retry")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(registry)
                            .hasAnObservation(observed -> observed.hasNameEqualTo("reconciler4j.reconcile")
                                    .hasHighCardinalityKeyValue("attempt", "2")
                                    .hasLowCardinalityKeyValue("trigger", "retry")
                                    .hasError()));
        });
    }

    @Test
    void conventionWhenThereIsABeanReplacesTheDefault() {
        ReconcileObservationConvention named = new DefaultReconcileObservationConvention() {
            @Override
            public String getName() {
                return "shop.reconcile";
            }
        };
        contextRunner
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(ReconcileObservationConvention.class, () -> named)
                .run(context -> {
                    context.getBean(Client.class).create(map("two"));
                    await("the observation")
                            .atMost(Duration.ofSeconds(60))
                            .untilAsserted(() -> assertThat(registry).hasObservationWithNameEqualTo("shop.reconcile"));
                });
    }

    @Test
    void requestsOutsideOfObservationsAreNotObserved() {
        contextRunner
                .withBean(ObservationRegistry.class, () -> registry)
                .withPropertyValues("reconciler4j.auto-startup=false")
                .run(context -> {
                    context.getBean(Client.class).create(map("alone"));
                    assertThat(registry).doesNotHaveAnyObservation();
                });
    }

    @Test
    void applicationWhenThereIsNoRegistryHasNoObservations() {
        contextRunner
                .withPropertyValues("reconciler4j.auto-startup=false")
                .run(context -> assertThat(context).doesNotHaveBean(ObservedReconciliations.class));
    }

    @Test
    void documentedKeysAreThoseOfTheConventions() {
        assertThat(names(OperatorObservation.RECONCILE.getLowCardinalityKeyNames()))
                .containsExactly("controller", "cluster", "kind", "outcome", "trigger");
        assertThat(names(OperatorObservation.API_REQUEST.getLowCardinalityKeyNames()))
                .containsExactly("cluster", "verb", "kind", "subresource", "status");
        assertThat(OperatorObservation.RECONCILE.getDefaultConvention())
                .isEqualTo(DefaultReconcileObservationConvention.class);
    }

    /** The reconciliation of a request of any cluster. */
    private record Run(ReconcileContext context) implements ReconcileObserver.Run {
        @Override
        public String controller() {
            return "hub";
        }

        @Override
        public Optional<KindName> kind() {
            return Optional.empty();
        }

        @Override
        public Duration waited() {
            return Duration.ZERO;
        }
    }

    @Test
    void clusterIsThatOfTheRequestAlsoIfOneControllerServesSeveral() {
        DefaultReconcileObservationConvention convention = new DefaultReconcileObservationConvention();
        for (String cluster : List.of("east", "west", "none", "", "east")) {
            Run run = new Run(ReconcileContext.of(new Request("shop", "till").in(cluster)));
            assertThat(convention.getLowCardinalityKeyValues(new ReconcileObservationContext(run)))
                    .contains(KeyValue.of("cluster", cluster.isEmpty() ? "home" : cluster));
        }
    }

    private static List<String> names(KeyName[] keys) {
        return Arrays.stream(keys).map(KeyName::asString).toList();
    }

    @Test
    void headersOfTheTraceAreSentToTheApiServer() {
        List<Map<String, String>> sent = new CopyOnWriteArrayList<>();
        registry.observationConfig()
                .observationHandler(new io.micrometer.observation.ObservationHandler<ApiRequestObservationContext>() {
                    @Override
                    public void onStart(ApiRequestObservationContext context) {
                        context.getSetter().set(context.getCarrier(), "traceparent", "00-1-2-01");
                    }

                    @Override
                    public void onStop(ApiRequestObservationContext context) {
                        sent.add(context.getCarrier());
                    }

                    @Override
                    public boolean supportsContext(Observation.Context context) {
                        return context instanceof ApiRequestObservationContext;
                    }
                });
        contextRunner.withBean(ObservationRegistry.class, () -> registry).run(context -> {
            context.getBean(Client.class).create(map("one"));
            awaitOutcome("one", "success");
            assertThat(sent).contains(Map.of("traceparent", "00-1-2-01"));
        });
    }
}
