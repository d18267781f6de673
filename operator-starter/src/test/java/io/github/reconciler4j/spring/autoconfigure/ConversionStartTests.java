package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.Validator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The start and the end of an application that converts the objects of a definition. */
class ConversionStartTests {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: lamps.test.reconciler4j.io}
            spec:
              group: test.reconciler4j.io
              scope: Namespaced
              names: {kind: Lamp, plural: lamps, singular: lamp}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
              - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
            """;

    private final KubernetesServer kubernetes = KubernetesServer.start();
    private final Manager user = Manager.create(kubernetes.clientConfig());
    private final Client client = user.client();
    private final List<String> states = new CopyOnWriteArrayList<>();
    private volatile ConfigurableApplicationContext context;

    @AfterEach
    void stop() {
        context.close();
        user.close();
        kubernetes.close();
    }

    private void run(String... arguments) {
        new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.application.name=lamps",
                        "reconciler4j.webhook.port=0",
                        "reconciler4j.webhook.drain=0s",
                        "reconciler4j.webhook.apply-configurations=true",
                        "reconciler4j.webhook.service-namespace=default")
                .initializers(created -> {
                    created.getBeanFactory().registerSingleton("config", kubernetes.clientConfig());
                    context = created;
                })
                .listeners((ApplicationListener<AvailabilityChangeEvent<?>>)
                        event -> states.add(String.valueOf(event.getState())))
                .run(arguments);
    }

    private CustomResourceConversion conversion() {
        return client.live()
                .get(CustomResourceDefinition.class, ObjectKey.ofName("lamps.test.reconciler4j.io"))
                .orElseThrow()
                .getSpec()
                .getConversion();
    }

    /** Both members of the health group for the readiness probe. */
    private boolean isReady() {
        return states.contains("ACCEPTING_TRAFFIC")
                && context.getBean("reconciler4jReadinessHealthIndicator", HealthIndicator.class)
                        .health()
                        .getStatus()
                        .equals(Status.UP);
    }

    @Test
    void applicationWhenItsCachesCannotSyncIsReadyAsItsWebhooksServe() throws Exception {
        client.create(Serialization.unmarshal(DEFINITION, CustomResourceDefinition.class));
        kubernetes.faults().add(FaultRule.of(RequestMatch.any().kind("ConfigMap"), Fault.internalError()));
        Thread starter = new Thread(this::run);
        starter.start();

        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(this::isReady);
        assertThat(context.getBean(Manager.class).status().running()).isFalse();
        assertThat(conversion().getWebhook().getClientConfig().getCaBundle()).isNotBlank();
        kubernetes.faults().clear();
        starter.join();
        assertThat(context.getBean(Manager.class).status().running()).isTrue();
    }

    @Test
    void applicationWhenItCleansUpRemovesWhatItAppliedAndDoesNotStartTheOperator() {
        client.create(Serialization.unmarshal(DEFINITION, CustomResourceDefinition.class));
        run();
        assertThat(conversion().getStrategy()).isEqualTo("Webhook");
        assertThat(client.live().get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("lamps")))
                .isPresent();
        context.close();

        run("--reconciler4j.webhook.clean-up=true");

        assertThat(context.getBean(Manager.class).status().running()).isFalse();
        assertThat(conversion().getStrategy()).isEqualTo("None");
        assertThat(conversion().getWebhook()).isNull();
        assertThat(client.live().get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("lamps")))
                .isEmpty();
    }

    /** The hub. */
    @Group("test.reconciler4j.io")
    @Version("v1")
    static class Lamp extends CustomResource<Map<String, String>, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    /** The spoke. */
    @Group("test.reconciler4j.io")
    @Version(value = "v1beta1", storage = false)
    @Kind("Lamp")
    static class BetaLamp extends CustomResource<Map<String, String>, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Converter<Lamp, BetaLamp> converter() {
            return new Converter<>() {
                @Override
                public Lamp toHub(BetaLamp lamp) {
                    return new Lamp();
                }

                @Override
                public BetaLamp fromHub(Lamp lamp) {
                    return new BetaLamp();
                }
            };
        }

        @Bean
        Validator<Lamp> validator() {
            return (lamp, validation) -> {};
        }

        @Bean
        @Reconciler
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }
    }
}
