package io.github.reconciler4j.test.fullcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.spring.DevelopmentCluster;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The cluster of development has all controllers if this module is on its class path. */
class DevelopmentControllersTests {

    @Test
    void deploymentWhenTheApplicationRunsInDevelopmentBecomesAvailable() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                                Application.class, DevelopmentCluster.class)
                        .web(WebApplicationType.NONE)
                        .run();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(context.getBean(Config.class))
                        .build()) {
            client.resource(TestDeployments.deployment("default", "web", 1)).create();

            Integer available = await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> client.apps()
                                    .deployments()
                                    .inNamespace("default")
                                    .withName("web")
                                    .get()
                                    .getStatus()
                                    .getAvailableReplicas(),
                            Objects::nonNull);
            assertThat(available).isEqualTo(1);
        }
    }

    @Configuration
    static class Application {}
}
