package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.test.spring.DevelopmentCluster;
import io.github.reconciler4j.webhook.Defaulter;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The main class of an operator during development. */
final class TestOperatorApplication {

    private TestOperatorApplication() {}

    public static void main(String[] arguments) {
        SpringApplication.from(OperatorApplication::main)
                .with(DevelopmentCluster.class)
                .run(arguments);
    }

    /** The operator. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OperatorApplication {

        public static void main(String[] arguments) {
            SpringApplication.run(OperatorApplication.class, arguments);
        }

        @Bean
        Defaulter<ConfigMap> defaults() {
            return (map, request) -> map.getMetadata().getLabels().putIfAbsent("creator", "webhook");
        }
    }
}
