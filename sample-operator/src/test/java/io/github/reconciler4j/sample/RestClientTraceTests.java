package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.observation.OperatorObservationAutoConfiguration;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.web.client.RestClient;

/** A reconciler calls another service with Spring's {@code RestClient}, within the trace of its reconciliation. */
@Timeout(180)
class RestClientTraceTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider tracers = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final Map<String, List<String>> received = new ConcurrentHashMap<>();
    private HttpServer service;

    @BeforeEach
    void startService() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            received.put(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getOrDefault("traceparent", List.of()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void close() {
        service.stop(0);
        server.close();
        tracers.close();
    }

    /** Calls the service for the map {@code one}: on the thread of the worker, and on another one. */
    @Reconciler(name = "caller")
    static class Caller implements ObjectReconciler<ConfigMap> {

        final List<Observation.ContextView> observed = new CopyOnWriteArrayList<>();
        private final RestClient service;
        private final ObservationRegistry registry;

        Caller(RestClient.Builder builder, ObservationRegistry registry, Address address) {
            this.service = builder.baseUrl(address.url()).build();
            this.registry = registry;
        }

        @Override
        public Result reconcile(ConfigMap map, ReconcileContext context) throws Exception {
            if (map.getMetadata().getName().equals("one")) {
                Observation current = registry.getCurrentObservation();
                observed.add(current == null ? new Observation.Context() : current.getContextView());
                call("/worker");
                FutureTask<Void> elsewhere = new FutureTask<>(() -> call("/elsewhere"), null);
                Thread thread = new Thread(new ContextPropagatingTaskDecorator().decorate(elsewhere));
                thread.start();
                elsewhere.get();
            }
            return Result.done();
        }

        private void call(String path) {
            service.post().uri(path).retrieve().toBodilessEntity();
        }
    }

    /** The address of the service. */
    record Address(String url) {}

    private ApplicationContextRunner application() {
        OtelTracer tracer = new OtelTracer(tracers.get("test"), new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator = new OtelPropagator(
                ContextPropagators.create(W3CTraceContextPropagator.getInstance()), tracers.get("test"));
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        OperatorAutoConfiguration.class,
                        OperatorObservationAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        RestClientAutoConfiguration.class,
                        RestClientObservationAutoConfiguration.class))
                .withBean(
                        ObservationHandler.class,
                        () -> new ObservationHandler.FirstMatchingCompositeObservationHandler(
                                new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                                new DefaultTracingObservationHandler(tracer)))
                .withBean(Config.class, server::clientConfig)
                .withBean(
                        Address.class,
                        () -> new Address(
                                "http://localhost:" + service.getAddress().getPort()))
                .withBean(Caller.class)
                .withPropertyValues("spring.application.name=shop");
    }

    private SpanData span(String spanId) {
        await("the span " + spanId)
                .atMost(Duration.ofSeconds(60))
                .until(() -> exporter.getFinishedSpanItems().stream()
                        .anyMatch(span -> span.getSpanId().equals(spanId)));
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getSpanId().equals(spanId))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestOfARestClientBelongsToTheTraceOfTheReconciliation(boolean virtualThreads) {
        application()
                .withPropertyValues("reconciler4j.all-controllers.virtual-threads=" + virtualThreads)
                .run(context -> {
                    context.getBean(Client.class)
                            .create(new ConfigMapBuilder()
                                    .withNewMetadata()
                                    .withNamespace("default")
                                    .withName("one")
                                    .endMetadata()
                                    .build());
                    for (String path : List.of("/worker", "/elsewhere")) {
                        await(path).atMost(Duration.ofSeconds(60)).until(() -> received.containsKey(path));
                        assertThat(received.get(path)).as(path).hasSize(1);
                        String[] ids = received.get(path).get(0).split("-");
                        SpanData request = span(ids[2]);
                        SpanData run = span(request.getParentSpanId());
                        assertThat(request.getName()).isEqualTo("http post");
                        assertThat(run.getName()).isEqualTo("reconcile caller");
                        assertThat(List.of(ids[1], request.getTraceId())).containsOnly(run.getTraceId());
                        assertThat(run.getParentSpanContext().isValid()).isFalse();
                    }
                    assertThat(context.getBean(Caller.class).observed)
                            .isNotEmpty()
                            .allSatisfy(view -> assertThat(view).isInstanceOf(ReconcileObservationContext.class));
                });
    }
}
