package io.github.reconciler4j.spring.autoconfigure.observation;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.test.KubernetesServer;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryEventPublisherBeansApplicationListener;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An operator with metrics and traces as Spring Boot configures them. */
final class TracedApplication {

    private TracedApplication() {}

    /** Return the runner of an operator that exports each span at its end. */
    static ApplicationContextRunner runner(KubernetesServer server, SpanExporter exporter) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        OperatorAutoConfiguration.class,
                        OperatorObservationAutoConfiguration.class,
                        OperatorTracingAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        OpenTelemetrySdkAutoConfiguration.class,
                        OpenTelemetryTracingAutoConfiguration.class,
                        MicrometerTracingAutoConfiguration.class))
                // SpringApplication finds this listener without help; it puts the ids of the trace into the log context
                .withInitializer(context ->
                        context.addApplicationListener(new OpenTelemetryEventPublisherBeansApplicationListener()))
                .withBean(Config.class, server::clientConfig)
                .withBean(SpanProcessor.class, () -> SimpleSpanProcessor.create(exporter))
                .withPropertyValues("spring.application.name=shop", "management.tracing.sampling.probability=1");
    }
}
