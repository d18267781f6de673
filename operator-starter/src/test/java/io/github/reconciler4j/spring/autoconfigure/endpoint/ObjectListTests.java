package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ItemDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ObjectsDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.StateDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.Why;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorEndpoint.Action;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorEndpoint.Filter;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The objects of a controller, and why each is not reconciled now. */
@Timeout(300)
class ObjectListTests {

    private static final int MANY = 2_000;

    private final KubernetesServer server = KubernetesServer.start();

    @AfterEach
    void closeServer() {
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> switch (map.getMetadata().getName()) {
                case "broken" -> throw new IllegalStateException("no luck");
                case "hopeless" -> throw new TerminalException("never");
                case "later" -> Result.requeueAfter(Duration.ofHours(1));
                case "again" -> Result.requeueWithBackoff();
                default -> Result.done();
            };
        }

        @Bean
        @Reconciler(name = "secrets")
        ObjectReconciler<Secret> secrets() {
            return (secret, context) -> Result.done();
        }

        @Bean
        @Reconciler(name = "nightly", schedule = "0 3 * * *", minInterval = "1h")
        ObjectReconciler<Service> nightly() {
            return (service, context) -> Result.done();
        }
    }

    private void run(Consumer<AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OperatorAutoConfiguration.class, OperatorEndpointAutoConfiguration.class))
                .withUserConfiguration(Reconcilers.class)
                .withBean(Config.class, server::clientConfig)
                .withPropertyValues(
                        "spring.application.name=shop",
                        "reconciler4j.all-controllers.initial-backoff=1h",
                        "reconciler4j.all-controllers.max-backoff=1h",
                        "management.endpoints.web.exposure.include=reconciler4j")
                .run(test::accept);
    }

    private static void create(AssertableApplicationContext context, String name, @Nullable String pause) {
        context.getBean(Client.class)
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .addToAnnotations(pause == null ? Map.of() : Map.of("reconciler4j.io/paused", pause))
                        .endMetadata()
                        .addToData("secret", "hunter2")
                        .build());
    }

    private static ObjectsDescriptor list(
            AssertableApplicationContext context, String controller, int page, @Nullable String search, Filter filter) {
        return Objects.requireNonNull(Objects.requireNonNull(context.getBean(OperatorEndpoint.class)
                        .controller(controller, page, search, filter, null)
                        .getBody())
                .objects());
    }

    private static void awaitState(AssertableApplicationContext context, String name, Why why) {
        await(name + " is " + why)
                .atMost(Duration.ofSeconds(60))
                .until(() -> list(context, "maps", 0, name, Filter.ALL).items().stream()
                        .map(ItemDescriptor::state)
                        .map(StateDescriptor::why)
                        .anyMatch(why::equals));
    }

    private static void createOneOfEach(AssertableApplicationContext context) {
        for (String name : List.of("fine", "broken", "hopeless", "later", "again")) {
            create(context, name, null);
        }
        create(context, "stopped", "true");
        create(context, "stopped-until", "2100-01-01T00:00:00Z");
        awaitState(context, "fine", Why.CHANGE);
        awaitState(context, "broken", Why.BACKOFF);
        awaitState(context, "hopeless", Why.STALLED);
        awaitState(context, "later", Why.REQUEUE_AFTER);
        awaitState(context, "again", Why.RATE_LIMIT);
        awaitState(context, "stopped", Why.PAUSED);
    }

    private static List<String> keys(AssertableApplicationContext context, @Nullable String search, Filter filter) {
        return list(context, "maps", 0, search, filter).items().stream()
                .map(ItemDescriptor::key)
                .toList();
    }

    @Test
    void objectsHaveWhatHappensNext() {
        run(context -> {
            createOneOfEach(context);

            assertThat(keys(context, null, Filter.ALL))
                    .containsExactly(
                            "default/again",
                            "default/broken",
                            "default/fine",
                            "default/hopeless",
                            "default/later",
                            "default/stopped",
                            "default/stopped-until");
            assertThat(list(context, "maps", 0, "BROKEN Default", Filter.ALL).items())
                    .singleElement()
                    .satisfies(broken -> {
                        assertThat(broken.failures()).isEqualTo(1);
                        assertThat(broken.error()).contains("no luck");
                        assertThat(Instant.parse(broken.state().until())).isAfter(Instant.now());
                    });
            assertThat(list(context, "maps", 0, "until", Filter.PAUSED).items())
                    .singleElement()
                    .satisfies(stopped -> assertThat(stopped.state().until()).isEqualTo("2100-01-01T00:00:00Z"));
            context.getBean(OperatorEndpoint.class).change("maps", Action.PAUSE, null, null, null);
            awaitState(context, "broken", Why.CONTROLLER_PAUSED);
        });
    }

    @Test
    void filtersSelectByWhatHappensNext() {
        run(context -> {
            createOneOfEach(context);

            assertThat(keys(context, null, Filter.FAILING)).containsExactly("default/broken", "default/hopeless");
            assertThat(keys(context, null, Filter.STALLED)).containsExactly("default/hopeless");
            assertThat(keys(context, null, Filter.WAITING))
                    .contains("default/broken", "default/later", "default/again")
                    .doesNotContain("default/fine", "default/hopeless");
            assertThat(keys(context, null, Filter.PAUSED)).containsExactly("default/stopped", "default/stopped-until");
            assertThat(keys(context, null, Filter.DELETING)).isEmpty();
        });
    }

    @Test
    void answersNeverHaveTheContentOfObjects() {
        run(context -> {
            create(context, "fine", null);
            context.getBean(Client.class)
                    .create(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName("password")
                            .endMetadata()
                            .addToStringData("hunter2", "hunter2")
                            .build());
            await("both are listed").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                ObjectMapper json = new ObjectMapper();
                assertThat(json.writeValueAsString(list(context, "maps", 0, null, Filter.ALL)))
                        .contains("default/fine")
                        .doesNotContain("hunter2");
                assertThat(json.writeValueAsString(list(context, "secrets", 0, null, Filter.ALL)))
                        .contains("default/password")
                        .doesNotContain("hunter2", "aHVudGVyMg");
            });
        });
    }

    @Test
    void scheduledControllersHaveTheirNextTime() {
        run(context -> await("the state of a service")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(Objects.requireNonNull(context.getBean(OperatorEndpoint.class)
                                        .object("nightly", "default", "kubernetes", null)
                                        .getBody())
                                .state())
                        .satisfies(state -> assertThat(Instant.parse(
                                        Objects.requireNonNull(state).scheduled()))
                                .isAfter(Instant.now()))));
    }

    @Test
    void pagesWhenThereAreThousandsHaveAllObjectsOnce() {
        run(context -> {
            for (int i = 0; i < MANY; i++) {
                create(context, "many-%05d".formatted(i), null);
            }
            await("all are cached")
                    .atMost(Duration.ofSeconds(120))
                    .until(() -> list(context, "maps", 0, "many", Filter.ALL).matching() == MANY);

            ObjectsDescriptor second = list(context, "maps", 1, "many", Filter.ALL);
            assertThat(second.items()).hasSize(ObjectList.PAGE);
            assertThat(second.items().get(0).key()).isEqualTo("default/many-%05d".formatted(ObjectList.PAGE));
            ObjectsDescriptor beyond = list(context, "maps", Integer.MAX_VALUE, "many", Filter.ALL);
            assertThat(beyond.page()).isEqualTo(MANY / ObjectList.PAGE - 1);
            assertThat(beyond.items().get(ObjectList.PAGE - 1).key())
                    .isEqualTo("default/many-%05d".formatted(MANY - 1));
            assertThat(list(context, "maps", Integer.MIN_VALUE, "0199", Filter.ALL)
                            .matching())
                    .isEqualTo(11);
        });
    }
}
