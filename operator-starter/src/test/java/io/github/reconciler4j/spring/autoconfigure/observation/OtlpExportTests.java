package io.github.reconciler4j.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.observation.OtlpSpans.Span;
import io.github.reconciler4j.test.KubernetesServer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The trace of a reconciliation as a collector receives it. */
@Timeout(180)
class OtlpExportTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private HttpServer collector;

    @BeforeEach
    void startCollector() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            spans.addAll(OtlpSpans.read(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void close() {
        collector.stop(0);
        server.close();
    }

    /** Copies the map {@code one} and records an event. */
    @Configuration(proxyBeanMethods = false)
    static class Copier {

        final List<Map<String, String>> logContexts = new CopyOnWriteArrayList<>();

        @Bean
        @Reconciler(name = "copier")
        ObjectReconciler<ConfigMap> copier(Client client, EventRecorder events) {
            return (map, context) -> {
                if (map.getMetadata().getName().equals("one")) {
                    logContexts.add(MDC.getCopyOfContextMap());
                    client.create(OperatorObservationTests.map("copy"));
                    events.normal(map, "Copied", "Copy", "Copied the map");
                }
                return Result.done();
            };
        }
    }

    @Test
    void traceWhenExportedHasRequestsBelowTheReconciliationAndTheIdOfLogsAndEvents() {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint("http://localhost:" + collector.getAddress().getPort() + "/v1/traces")
                .build();
        TracedApplication.runner(server, exporter)
                .withUserConfiguration(Copier.class)
                .run(context -> {
                    Client client = context.getBean(Client.class);
                    client.create(OperatorObservationTests.map("one"));
                    // each span is exported on its own, so they arrive in any order
                    await("the spans").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                        find("reconcile copier", "one");
                        find("create configmaps", "copy");
                    });
                    Span run = find("reconcile copier", "one");
                    Span request = find("create configmaps", "copy");
                    assertThat(request.traceId()).isEqualTo(run.traceId());
                    assertThat(request.parentId()).isEqualTo(run.spanId());
                    assertThat(run.parentId()).isEmpty();
                    assertThat(run.attributes())
                            .containsEntry("controller", "copier")
                            .containsEntry("outcome", "success");

                    String id = run.attributes().get("reconcile.id");
                    Map<String, String> logContext =
                            context.getBean(Copier.class).logContexts.get(0);
                    assertThat(logContext).containsEntry("reconcileID", id).containsEntry("traceId", run.traceId());
                    await("the event")
                            .atMost(Duration.ofSeconds(60))
                            .untilAsserted(() -> assertThat(
                                            client.live().list(io.fabric8.kubernetes.api.model.events.v1.Event.class))
                                    .anySatisfy(event -> assertThat(
                                                    event.getMetadata().getAnnotations())
                                            .containsEntry(EventRecorder.RECONCILE_ID_ANNOTATION, id)));
                });
    }

    private Span find(String name, String object) {
        return spans.stream()
                .filter(span -> span.name().equals(name)
                        && object.equals(span.attributes().get("name")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " in " + spans));
    }
}
