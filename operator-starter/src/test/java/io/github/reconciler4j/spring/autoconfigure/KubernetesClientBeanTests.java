package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class KubernetesClientBeanTests extends OperatorContextFixture {

    private static final String BEAN = "reconciler4jKubernetesClient";

    @Test
    void clientIsCreatedWhenItIsInjectedAndConnectsWithTheConfigOfTheOperator() {
        contextRunner
                .withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration.class))
                .run(context -> {
                    assertThat(context.getBeanFactory().containsSingleton(BEAN)).isFalse();
                    KubernetesClient client = context.getBean(KubernetesClient.class);
                    assertThat(client.getConfiguration()).isSameAs(context.getBean(Config.class));
                    assertThat(context.getBeanFactory().containsSingleton(BEAN)).isTrue();
                });
    }

    @Test
    void clientSendsRequestsToTheApiServerOfTheOperator() {
        try (KubernetesServer server = KubernetesServer.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            OperatorAutoConfiguration.class, KubernetesClientAutoConfiguration.class))
                    .withBean(Config.class, server::clientConfig)
                    .withPropertyValues("reconciler4j.auto-startup=false")
                    .run(context -> {
                        context.getBean(Client.class)
                                .create(new ConfigMapBuilder()
                                        .withNewMetadata()
                                        .withNamespace("default")
                                        .withName("one")
                                        .endMetadata()
                                        .build());
                        assertThat(context.getBean(KubernetesClient.class)
                                        .configMaps()
                                        .inNamespace("default")
                                        .withName("one")
                                        .get())
                                .isNotNull();
                    });
        }
    }

    @Test
    void clientWhenTheApplicationHasOneIsThatOne() {
        contextRunner
                .withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration.class))
                .withUserConfiguration(OwnClient.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(KubernetesClient.class)
                        .doesNotHaveBean(BEAN));
    }

    @Test
    void clientWhenItsImplementationIsMissingNamesTheDependency() {
        contextRunner
                .withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.fabric8.kubernetes.client.impl"))
                .withUserConfiguration(Injecting.class)
                .run(context -> {
                    FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(report).isNotNull();
                    assertThat(report.getDescription()).contains("KubernetesClient", "not on the class path");
                    assertThat(report.getAction()).contains("io.fabric8:kubernetes-client");
                });
    }

    record Uses(KubernetesClient client) {}

    @Configuration(proxyBeanMethods = false)
    static class Injecting {

        @Bean
        Uses uses(KubernetesClient client) {
            return new Uses(client);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean
        KubernetesClient own() {
            return mock(KubernetesClient.class);
        }
    }
}
