package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

@OperatorTest(
        classes = OperatorTestTests.Application.class,
        properties = "greeting=hello",
        definitions = "definitions",
        server = OperatorTestTests.OldServer.class)
class OperatorTestTests {

    @Autowired
    private Config config;

    @Autowired
    private TestCluster cluster;

    @Autowired
    private Started application;

    @Test
    void configWhenInjectedIsThatOfTheOperator(KubernetesServer server) {
        assertThat(config.getMasterUrl()).startsWith(server.url());
        assertThat(config.getOauthToken()).isNotEqualTo(server.adminToken());
        assertThat(application.config()).isSameAs(config);
    }

    @Test
    void parametersWhenWantedAreThoseOfTheCluster(
            TestCluster given, Config testConfig, KubernetesClient client, @Autowired Config operatorConfig) {
        assertThat(given).isSameAs(cluster);
        assertThat(testConfig.getOauthToken()).isNotEqualTo(config.getOauthToken());
        assertThat(client).isSameAs(cluster.client());
        assertThat(operatorConfig).isSameAs(config);
    }

    @Test
    void definitionsWhenTheApplicationStartsAreServed() {
        assertThat(application.definitions()).isEqualTo(1);
    }

    @Test
    void propertiesWhenGivenReachTheApplication(@Autowired Environment environment) {
        assertThat(environment.getProperty("greeting")).isEqualTo("hello");
    }

    @Test
    void serverWhenCustomizedHasTheSettings(KubernetesClient client) {
        assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("31");
    }

    @Nested
    class NestedTests {
        @Test
        void applicationWhenNestedIsThatOfTheOuterClass(@Autowired TestCluster given) {
            assertThat(given).isSameAs(cluster);
        }
    }

    /** What the application saw when it started. */
    record Started(Config config, int definitions) {}

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Started started(Config config) {
            try (KubernetesClient client = new io.fabric8.kubernetes.client.KubernetesClientBuilder()
                    .withConfig(config)
                    .build()) {
                return new Started(
                        config,
                        client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .list()
                                .getItems()
                                .size());
            }
        }

        @Bean
        Config ownConfig() {
            return Config.empty();
        }
    }

    static class OldServer implements ServerCustomizer {
        @Override
        public KubernetesServerBuilder customize(KubernetesServerBuilder server) {
            return server.minorVersion(31);
        }
    }
}
