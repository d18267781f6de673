package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.DetailsDescriptor;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the endpoint shows of one object besides its reconciliations. */
@Timeout(180)
class ObjectDetailsTests {

    private final KubernetesServer server = KubernetesServer.start();

    @AfterEach
    void closeServer() {
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        @Bean
        @Reconciler(name = "claims")
        ObjectReconciler<PersistentVolumeClaim> claims(EventRecorder events) {
            return (claim, context) -> {
                events.normal(claim, "Seen", "See", "Saw the claim");
                return Result.done();
            };
        }

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }

        @Bean
        @Reconciler(name = "secrets")
        ObjectReconciler<Secret> secrets() {
            return (secret, context) -> Result.done();
        }
    }

    private void run(Consumer<AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OperatorAutoConfiguration.class, OperatorEndpointAutoConfiguration.class))
                .withUserConfiguration(Reconcilers.class)
                .withBean(Config.class, server::clientConfig)
                .withPropertyValues(
                        "spring.application.name=shop", "management.endpoints.web.exposure.include=reconciler4j")
                .run(test::accept);
    }

    private static Optional<DetailsDescriptor> details(
            AssertableApplicationContext context, String controller, String name) {
        OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
        return Optional.ofNullable(Objects.requireNonNull(
                        endpoint.object(controller, "default", name, null).getBody())
                .object());
    }

    private static PersistentVolumeClaim createClaim(Client client) {
        PersistentVolumeClaim claim = client.create(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("disk")
                .endMetadata()
                .withNewSpec()
                .addToAccessModes("ReadWriteOnce")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("1Gi")))
                .endResources()
                .endSpec()
                .build());
        return client.status()
                .update(new PersistentVolumeClaimBuilder(claim)
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Resizing")
                        .withStatus("True")
                        .withReason("Grows")
                        .withMessage("to 2Gi")
                        .endCondition()
                        .endStatus()
                        .build());
    }

    @Test
    void objectHasItsConditionsEventsAndOwnedObjects() {
        run(context -> {
            Client client = context.getBean(Client.class);
            PersistentVolumeClaim claim = createClaim(client);
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("owned")
                    .addNewOwnerReference()
                    .withApiVersion("v1")
                    .withKind("PersistentVolumeClaim")
                    .withName("disk")
                    .withUid(claim.getMetadata().getUid())
                    .endOwnerReference()
                    .endMetadata()
                    .build());
            await("the details").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                Optional<DetailsDescriptor> found = details(context, "claims", "disk");
                assertThat(found).as("the cache has the claim").isPresent();
                DetailsDescriptor object = found.get();
                assertThat(object.kind()).isEqualTo("PersistentVolumeClaim.v1");
                assertThat(object.deleted()).isEmpty();
                assertThat(object.conditions()).singleElement().satisfies(condition -> {
                    assertThat(condition.type()).isEqualTo("Resizing");
                    assertThat(condition.reason()).isEqualTo("Grows");
                });
                assertThat(object.owned())
                        .extracting(ObjectDescriptors.OwnedDescriptor::key)
                        .containsExactly("default/owned");
                assertThat(object.eventsProblem()).isEmpty();
                assertThat(object.events()).anySatisfy(event -> {
                    assertThat(event.message()).isEqualTo("Saw the claim");
                    assertThat(event.last()).startsWith("20");
                });
            });
            assertThat(details(context, "claims", "unknown")).isEmpty();
        });
    }

    @Test
    void childrenHaveTheirReadinessAndComeFromOtherNamespacesByLabelOnly() {
        run(context -> {
            Client client = context.getBean(Client.class);
            createClaim(client);
            ConfigMap owner = client.create(child("owner", "default", Map.of()));
            Map<String, String> label =
                    Map.of("reconciler4j.io/owner-uid", owner.getMetadata().getUid());
            client.create(child("elsewhere", "kube-system", label));
            client.create(child("labeled-only", "default", label));
            PersistentVolumeClaim lost = client.create(new PersistentVolumeClaimBuilder()
                    .withMetadata(owned(owner, "waiting"))
                    .withNewSpec()
                    .addToAccessModes("ReadWriteOnce")
                    .withNewResources()
                    .withRequests(Map.of("storage", new Quantity("1Gi")))
                    .endResources()
                    .endSpec()
                    .build());
            client.create(new SecretBuilder()
                    .withMetadata(owned(owner, "password"))
                    .withStringData(Map.of("key", "hunter2"))
                    .build());
            await("all children").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                DetailsDescriptor object = details(context, "maps", "owner").orElseThrow();
                assertThat(object.owned())
                        .extracting(
                                ObjectDescriptors.OwnedDescriptor::key,
                                ObjectDescriptors.OwnedDescriptor::member,
                                owned -> owned.readiness().state())
                        .containsExactly(
                                tuple("kube-system/elsewhere", true, "READY"),
                                tuple("default/" + lost.getMetadata().getName(), false, "WAITING"),
                                tuple("default/password", false, ""));
                assertThat(object.readiness().state()).isEqualTo("READY");
            });
        });
    }

    private static ConfigMap child(String name, String namespace, Map<String, String> labels) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    private static ObjectMeta owned(ConfigMap owner, String name) {
        return new ObjectMetaBuilder()
                .withNamespace("default")
                .withName(name)
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .endOwnerReference()
                .build();
    }

    @Test
    void childrenWhenThereAreManyAreCounted() {
        run(context -> {
            Client client = context.getBean(Client.class);
            ConfigMap owner = client.create(child("owner", "default", Map.of()));
            for (int i = 0; i < 103; i++) {
                client.create(new ConfigMapBuilder()
                        .withMetadata(owned(owner, "child-%03d".formatted(i)))
                        .build());
            }
            await("all children").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                DetailsDescriptor object = details(context, "maps", "owner").orElseThrow();
                assertThat(object.owned()).hasSize(100);
                assertThat(object.ownedLeftOut()).isEqualTo(3);
            });
        });
    }

    @Test
    void objectWhenEventsCannotBeReadHasTheReason() {
        server.faults().add(FaultRule.of(RequestMatch.verbs("list").kind("Event"), Fault.forbidden()));
        run(context -> {
            createClaim(context.getBean(Client.class));
            await("the details")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(details(context, "claims", "disk"))
                            .hasValueSatisfying(
                                    object -> assertThat(object.eventsProblem()).isNotEmpty()));
        });
    }

    @Test
    void secretHasNothingOfItsContent() {
        run(context -> {
            context.getBean(Client.class)
                    .create(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName("password")
                            .endMetadata()
                            .withStringData(Map.of("key", "hunter2"))
                            .build());
            await("the details")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() ->
                            assertThat(details(context, "secrets", "password")).isPresent());
            try {
                assertThat(new ObjectMapper()
                                .writeValueAsString(
                                        details(context, "secrets", "password").orElseThrow()))
                        .doesNotContain("hunter2", "aHVudGVyMg");
            } catch (JsonProcessingException e) {
                throw new AssertionError(e);
            }
        });
    }
}
