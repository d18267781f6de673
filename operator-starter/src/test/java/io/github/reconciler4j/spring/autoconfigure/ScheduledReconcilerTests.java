package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ScheduledReconcilerTests extends OperatorContextFixture {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 3 * * *        | 2026-11-29T12:00 | 2026-11-30T03:00
            */15 * * * *     | 2026-11-29T12:07 | 2026-11-29T12:15
            0 9-17 * * MON   | 2026-11-29T12:00 | 2026-11-30T09:00
            30 0 3 * * *     | 2026-11-29T12:00 | 2026-11-30T03:00:30
            @daily           | 2026-11-29T12:00 | 2026-11-30T00:00
            0 0 L * *        | 2026-02-01T12:00 | 2026-02-28T00:00
            0 0 1 * MON      | 2026-11-29T12:00 | 2027-02-01T00:00
            30 2 * * *       | 2026-03-28T12:00 | 2026-03-30T02:30
            30 2 * * *       | 2026-10-24T12:00 | 2026-10-25T02:30
            """)
    void scheduleWithOrWithoutSecondsHasTheNextTime(String schedule, String after, String expected) {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        ZonedDateTime next = ControllerProperties.cron(schedule)
                .next(LocalDateTime.parse(after).atZone(berlin));
        assertThat(next).isNotNull();
        assertThat(next.getZone()).isEqualTo(berlin);
        assertThat(next.toLocalDateTime()).isEqualTo(expected);
    }

    @Test
    void scheduleAndZoneCanComeFromDifferentLayers() {
        ControllerBuilder<?> builder = mock(ControllerBuilder.class);
        settings(layer("zone", "Asia/Tokyo"), layer("schedule", "0 3 * * *")).applyTo(builder);
        verify(builder).schedule(any(), eq(ZoneId.of("Asia/Tokyo")));
    }

    @Test
    void zoneWhenNoLayerNamesOneIsThatOfTheJvm() {
        ControllerBuilder<?> builder = mock(ControllerBuilder.class);
        settings(layer("schedule", "0 3 * * *")).applyTo(builder);
        verify(builder).schedule(any(), eq(ZoneId.systemDefault()));
    }

    @Test
    void scheduleWhenAPropertyIsAHyphenIsDisabled() {
        ControllerBuilder<?> builder = mock(ControllerBuilder.class);
        settings(layer("schedule", "-"), layer("schedule", "0 3 * * *")).applyTo(builder);
        verify(builder, never()).schedule(any(), any());
    }

    private static ControllerSettings settings(ControllerSettings.Layer... layers) {
        return new ControllerSettings(layers);
    }

    private static ControllerSettings.Layer layer(String name, String value) {
        ControllerProperties values = new Binder(new MapConfigurationPropertySource(Map.of("layer." + name, value)))
                .bindOrCreate("layer", ControllerProperties.class);
        return ControllerSettings.Layer.ofProperties("layer", true, values);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            schedule=each night   | Cron expression must consist of 6 fields
            schedule=61 3 * * *   | 61
            schedule=0 0 30 2 *   | has no time in the future
            zone=Middle/Earth     | zone
            """)
    void settingWhenItIsInvalidStopsTheStart(String setting, String message) {
        contextRunner
                .withUserConfiguration(Nightly.class)
                .withPropertyValues("reconciler4j.controllers.nightly." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(message)
                        .hasStackTraceContaining("reconciler4j.controllers.nightly."));
    }

    @Test
    void scheduleOfAControllerWithRequestsOfItsOwnIsRefused() {
        contextRunner
                .withUserConfiguration(Numbers.class)
                .withPropertyValues("reconciler4j.controllers.numbers.schedule=0 3 * * *")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("has no effect on a controller with requests of its own type"));
    }

    @Test
    void objectsAreReconciledAtTheTimesOfTheSchedule() {
        try (KubernetesServer server = KubernetesServer.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(EachSecond.class)
                        .web(WebApplicationType.NONE)
                        .initializers(
                                created -> created.getBeanFactory().registerSingleton("config", server.clientConfig()))
                        .run("--spring.main.banner-mode=off")) {
            context.getBean(Client.class)
                    .create(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName("one")
                            .endMetadata()
                            .build());
            List<Trigger> seen = context.getBean(EachSecond.class).seen;
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> seen.stream()
                                    .filter(trigger -> trigger.change() == Trigger.Change.SCHEDULED)
                                    .count()
                            >= 2);
            assertThat(seen)
                    .anySatisfy(
                            trigger -> assertThat(trigger).hasToString("ConfigMap.v1 schedule default/one SCHEDULED"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Nightly {

        @Bean
        @Reconciler(name = "nightly", schedule = "0 3 * * *", zone = "Europe/Berlin")
        ObjectReconciler<ConfigMap> nightly() {
            return (map, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Numbers {

        @Bean
        @Reconciler(name = "numbers")
        RequestReconciler<Integer> numbers() {
            return (number, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class EachSecond {

        final List<Trigger> seen = new CopyOnWriteArrayList<>();

        @Bean
        @Reconciler(name = "seconds", schedule = "* * * * * *")
        ObjectReconciler<ConfigMap> seconds() {
            return this::reconcile;
        }

        private Result reconcile(ConfigMap map, ReconcileContext context) {
            seen.addAll(context.triggers());
            return Result.done();
        }
    }
}
