package io.github.reconciler4j.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.metrics.OperatorMetricsAutoConfiguration;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The timers of observations of reconciliations and requests of several clusters. */
@Timeout(180)
class ClusterObservationTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final KubernetesServer home = KubernetesServer.start();
    private final KubernetesServer away = KubernetesServer.start();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    ObservationAutoConfiguration.class,
                    OperatorAutoConfiguration.class,
                    OperatorMetricsAutoConfiguration.class,
                    OperatorObservationAutoConfiguration.class))
            .withUserConfiguration(Copier.class)
            .withBean(Config.class, home::clientConfig)
            .withPropertyValues(
                    "spring.application.name=shop",
                    "management.simple.metrics.export.enabled=true",
                    "reconciler4j.controllers.copier.clusters=home,*");

    @AfterEach
    void closeServers() {
        home.close();
        away.close();
    }

    /** Copies the map {@code one} of each cluster. */
    @Configuration(proxyBeanMethods = false)
    static class Copier {

        @Bean
        @Reconciler(name = "copier")
        ObjectReconciler<ConfigMap> copier() {
            return (map, context) -> {
                if (map.getMetadata().getName().equals("one")) {
                    context.client().apply(OperatorObservationTests.map("copy"));
                }
                return Result.done();
            };
        }
    }

    private static Collection<Meter> timers(MeterRegistry meters, String name, String cluster) {
        return meters.find(name).tag("cluster", cluster).meters();
    }

    private static void awaitTimers(MeterRegistry meters, String cluster) {
        await("timers of " + cluster).atMost(LONG).untilAsserted(() -> {
            assertThat(timers(meters, "reconciler4j.reconcile", cluster)).isNotEmpty();
            assertThat(timers(meters, "reconciler4j.api.request", cluster))
                    .extracting(meter -> meter.getId().getTag("verb"))
                    .contains("apply");
        });
    }

    @Test
    void timersWhenAClusterLeavesAreRemovedAndThoseOfOthersStay() {
        application.run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            Manager manager = context.getBean(Manager.class);
            context.getBean(Client.class).create(OperatorObservationTests.map("one"));
            awaitTimers(meters, "home");
            assertThat(timers(meters, "reconciler4j.api.request", "east")).isEmpty();
            Client client =
                    Clusters.of(manager).add("east", away.clientConfig()).client();
            client.create(OperatorObservationTests.map("one"));
            awaitTimers(meters, "east");

            assertThat(Clusters.of(manager).remove("east")).isTrue();

            await("the timers of the cluster are removed")
                    .atMost(LONG)
                    .untilAsserted(() -> assertThat(meters.getMeters())
                            .extracting(meter -> meter.getId().getTag("cluster"))
                            .doesNotContain("east"));
            awaitTimers(meters, "home");
        });
    }
}
