package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.AdmissionWebhook;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.Webhooks;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class WebhookAutoConfigurationTests extends OperatorContextFixture {

    private final ApplicationContextRunner webhookRunner = contextRunner.withConfiguration(
            AutoConfigurations.of(WebhookAutoConfiguration.class, SslAutoConfiguration.class));

    private static WebhookServer server(Manager manager) {
        return (WebhookServer) manager.components().stream()
                .filter(WebhookServer.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void beansWhenDeclaredBecomeWebhooks() {
        webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues("reconciler4j.webhook.service-namespace=shop")
                .run(context -> {
                    WebhookServer server = server(context.getBean(Manager.class));
                    assertThat(server.webhooks().admission())
                            .extracting(AdmissionWebhook::name)
                            .containsExactly(
                                    "mutate-configmap-v1.core.k8s.io",
                                    "validate-configmap-v1.core.k8s.io",
                                    "validate-pod-v1.core.k8s.io");
                    assertThat(server.options().configurationName()).isEqualTo("shop");
                    assertThat(server.options().service().orElseThrow().host()).isEqualTo("shop-webhook.shop.svc");
                    assertThat(server.requiredPermissions().toString())
                            .contains("get, update on secrets shop-webhook-ca in shop");
                });
    }

    @Test
    void serverWhenThereAreNoWebhooksOrTheyAreDisabledIsNotThere() {
        webhookRunner.run(context -> {
            assertThat(context.getBean(Webhooks.class).isEmpty()).isTrue();
            assertThat(context.getBean(Manager.class).components()).isEmpty();
        });
        webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues("reconciler4j.webhook.enabled=false")
                .run(context ->
                        assertThat(context.getBean(Manager.class).components()).isEmpty());
    }

    @Test
    void applicationWhenTheModuleIsMissingStarts() {
        webhookRunner
                .withClassLoader(new FilteredClassLoader(WebhookServer.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("reconciler4jWebhooks"));
    }

    @Test
    void propertiesWhenSetReachTheOptions() {
        webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues(
                        "reconciler4j.webhook.host=127.0.0.1",
                        "reconciler4j.webhook.port=1234",
                        "reconciler4j.webhook.url=https://dev.example.com/hooks",
                        "reconciler4j.webhook.configuration-name=mine",
                        "reconciler4j.webhook.apply-configurations=true",
                        "reconciler4j.webhook.max-connections=7",
                        "reconciler4j.webhook.drain=3s",
                        "reconciler4j.webhook.certificates.secret-name=ca",
                        "reconciler4j.webhook.certificates.secret-namespace=certs")
                .run(context -> {
                    WebhookServer server = server(context.getBean(Manager.class));
                    assertThat(server.options().host()).isEqualTo("127.0.0.1");
                    assertThat(server.options().port()).isEqualTo(1234);
                    assertThat(server.options().url()).contains(URI.create("https://dev.example.com/hooks"));
                    assertThat(server.options().configurationName()).isEqualTo("mine");
                    assertThat(server.options().maxConnections()).isEqualTo(7);
                    assertThat(server.options().drain()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(server.requiredPermissions().toString())
                            .contains("secrets ca in certs")
                            .contains("create on validatingwebhookconfigurations.admissionregistration.k8s.io");
                });
    }

    @Test
    void namespaceWhenUnknownLeavesTheWebhooksOutWithAWarning(CapturedOutput log) {
        webhookRunner.withUserConfiguration(Rules.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Manager.class).components()).isEmpty();
            assertThat(log)
                    .containsOnlyOnce("The webhooks of the application are not served")
                    .contains("set 'reconciler4j.webhook.service-namespace'");
        });
    }

    @Test
    void namespaceOfTheSecretWhenUnknownLeavesTheWebhooksOutWithAWarning(CapturedOutput log) {
        ApplicationContextRunner outside = webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues("reconciler4j.webhook.url=https://dev.example.com");
        outside.run(context -> {
            assertThat(context.getBean(Manager.class).components()).isEmpty();
            assertThat(log)
                    .containsOnlyOnce("The webhooks of the application are not served")
                    .contains("set 'reconciler4j.webhook.certificates.secret-namespace'");
        });
        outside.withPropertyValues("reconciler4j.webhook.certificates.directory=/certificates")
                .run(context ->
                        assertThat(server(context.getBean(Manager.class))).isNotNull());
        outside.withPropertyValues("reconciler4j.webhook.service-namespace=certs")
                .run(context -> assertThat(server(context.getBean(Manager.class))
                                .requiredPermissions()
                                .toString())
                        .contains("secrets shop-webhook-ca in certs"));
    }

    @Test
    void nameOfTheOperatorThatIsNoDnsNameIsBlamed() {
        webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues("reconciler4j.webhook.service-namespace=shop", "reconciler4j.name=ShopOperator")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("The name of the operator, 'ShopOperator', cannot be part of"));
        webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues(
                        "reconciler4j.webhook.service-namespace=shop",
                        "reconciler4j.name=ShopOperator",
                        "reconciler4j.webhook.configuration-name=shop",
                        "reconciler4j.webhook.service-name=shop-webhook",
                        "reconciler4j.webhook.certificates.secret-name=shop-ca")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "service-port, 0",
        "service-port, 65536",
        "service-namespace, Shop",
        "service-namespace, a.b",
        "service-name, my_hook",
        "configuration-name, Mine",
        "port, -1",
        "max-connections, 0",
        "drain, -1s",
        "url, http://dev.example.com",
        "certificates.secret-namespace, Shop",
        "certificates.secret-name, a/b",
        "certificates.certificate-life, 0s",
    })
    void propertyWhenItsValueIsWrongStopsTheStartWithItsName(String property, String value) {
        webhookRunner
                .withUserConfiguration(Rules.class)
                .withPropertyValues(
                        "reconciler4j.webhook.service-namespace=shop", "reconciler4j.webhook." + property + "=" + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .extracting(failure -> Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                                .filter(OperatorConfigurationException.class::isInstance)
                                .findFirst()
                                .orElseThrow()
                                .getMessage())
                        .asString()
                        .startsWith("The property 'reconciler4j.webhook." + property + "' "));
    }

    @Test
    void beanWhenWithoutTypeArgumentStopsTheStartWithItsName() {
        webhookRunner
                .withUserConfiguration(RawRules.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(OperatorConfigurationException.class)
                        .hasMessageContaining("'raw' is a Validator without a type argument"));
    }

    @Test
    void certificatesWhenFromTwoPlacesStopTheStart(@TempDir Path folder) {
        webhookRunner
                .withPropertyValues(
                        "reconciler4j.webhook.certificates.directory=" + folder,
                        "reconciler4j.webhook.certificates.ssl-bundle=web")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("reconciler4j.webhook.certificates.directory"));
    }

    @Test
    void serverWhenStartedAppliesItsConfigurationsWithTheAuthority() {
        try (KubernetesServer kubernetes = KubernetesServer.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(OperatorAutoConfiguration.class, WebhookAutoConfiguration.class))
                    .withBean(Config.class, kubernetes::clientConfig)
                    .withUserConfiguration(Rules.class)
                    .withPropertyValues(
                            "spring.application.name=shop",
                            "reconciler4j.webhook.port=0",
                            "reconciler4j.webhook.drain=0s",
                            "reconciler4j.webhook.service-namespace=default",
                            "reconciler4j.webhook.apply-configurations=true")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(server(context.getBean(Manager.class)).port())
                                .isPositive();
                        Client client = context.getBean(Client.class);
                        String authority = client.live()
                                .get(Secret.class, "default", "shop-webhook-ca")
                                .orElseThrow()
                                .getData()
                                .get("ca.crt");
                        assertThat(client.live()
                                        .get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("shop"))
                                        .orElseThrow()
                                        .getWebhooks())
                                .hasSize(2)
                                .allSatisfy(webhook -> assertThat(
                                                webhook.getClientConfig().getCaBundle())
                                        .isEqualTo(authority));
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Rules {
        @Bean
        Validator<ConfigMap> configMaps() {
            return (map, validation) -> {};
        }

        @Bean
        PodValidator pods() {
            return new PodValidator();
        }

        @Bean
        Defaulter<ConfigMap> defaults() {
            return (map, request) -> {};
        }
    }

    static class PodValidator implements Validator<Pod> {
        @Override
        public void validate(Pod pod, Validation validation) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class RawRules {
        @Bean
        @SuppressWarnings("rawtypes")
        Validator raw() {
            return (object, validation) -> {};
        }
    }
}
