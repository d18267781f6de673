package io.github.reconciler4j.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Links of reconciliations to writers, in an application whose handlers Spring Boot registers. */
@Timeout(180)
class WriterLinkTests {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String WRITER = "00-" + TRACE + "-" + SPAN + "-01";

    private static final AttributeKey<String> NAME = AttributeKey.stringKey("name");
    private static final AttributeKey<String> ID = AttributeKey.stringKey("reconcile.id");
    private static final AttributeKey<String> TRIGGER = AttributeKey.stringKey(LinkingTracingHandler.TRIGGER);

    private final KubernetesServer server = KubernetesServer.start();
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

    private final ApplicationContextRunner contextRunner =
            TracedApplication.runner(server, exporter).withBean(Copier.class);

    private final ApplicationContextRunner linkingRunner =
            contextRunner.withPropertyValues("reconciler4j.tracing.link-annotation=traceparent");

    @AfterEach
    void closeServer() {
        server.close();
    }

    /** Copies the map {@code one}. A Secret belongs to the map of the same name. */
    @Reconciler(name = "copier")
    static class Copier implements ObjectReconciler<ConfigMap> {

        final Map<String, String> traceIds = new ConcurrentHashMap<>();
        private final Client client;

        Copier(Client client) {
            this.client = client;
        }

        @Watches
        Request mapOf(Secret secret) {
            return new Request(
                    secret.getMetadata().getNamespace(), secret.getMetadata().getName());
        }

        @Override
        public Result reconcile(ConfigMap map, ReconcileContext context) {
            traceIds.put(context.reconcileId(), String.valueOf(MDC.get("traceId")));
            if (map.getMetadata().getName().equals("one")) {
                client.create(WriterLinkTests.map("copy", Map.of()));
            }
            return Result.done();
        }
    }

    private static ConfigMap map(String name, Map<String, String> annotations) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withAnnotations(annotations)
                .endMetadata()
                .build();
    }

    private List<SpanData> spans(String name, String object) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name)
                        && object.equals(span.getAttributes().get(NAME)))
                .toList();
    }

    private List<SpanData> reconciliations(String object) {
        await("a reconciliation of " + object)
                .atMost(Duration.ofSeconds(60))
                .until(() -> !spans("reconcile copier", object).isEmpty());
        return spans("reconcile copier", object);
    }

    @Test
    void spanWhenTheObjectNamesItsWriterIsOneSpanWithOneLink() {
        linkingRunner.run(context -> {
            Client client = context.getBean(Client.class);
            client.create(map("one", Map.of("traceparent", WRITER)));

            SpanData run = reconciliations("one").get(0);
            assertThat(run.getLinks()).singleElement().satisfies(WriterLinkTests::isOfWriter);
            assertThat(run.getLinks().get(0).getAttributes().get(TRIGGER))
                    .isEqualTo("ConfigMap.v1 default/one CREATED");
            assertThat(run.getParentSpanContext().isValid()).isFalse();
            assertThat(run.getTraceId()).isNotEqualTo(TRACE);
            String id = run.getAttributes().get(ID);
            assertThat(reconciliations("one"))
                    .filteredOn(span -> id.equals(span.getAttributes().get(ID)))
                    .hasSize(1);
            assertThat(context.getBean(Copier.class).traceIds).containsEntry(id, run.getTraceId());
            assertThat(spans("create configmaps", "copy"))
                    .singleElement()
                    .satisfies(request -> assertThat(request.getParentSpanId()).isEqualTo(run.getSpanId()));
            assertThat(reconciliations("copy"))
                    .allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
            awaitAsManyTimesAsSpans(context);
        });
    }

    private static void isOfWriter(LinkData link) {
        assertThat(link.getSpanContext().getTraceId()).isEqualTo(TRACE);
        assertThat(link.getSpanContext().getSpanId()).isEqualTo(SPAN);
        assertThat(link.getSpanContext().isSampled()).isTrue();
    }

    /** The handler of timers sees each reconciliation once too. */
    private void awaitAsManyTimesAsSpans(AssertableApplicationContext context) {
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        await("the timers")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(meters.get("reconciler4j.reconcile").timers().stream()
                                .mapToLong(timer -> timer.count())
                                .sum())
                        .isEqualTo(exporter.getFinishedSpanItems().stream()
                                .filter(span -> span.getName().equals("reconcile copier"))
                                .count()));
    }

    @Test
    void spanWhenAWatchedObjectTriggersItIsLinkedToTheWriterOfThatObject() {
        linkingRunner.run(context -> {
            Client client = context.getBean(Client.class);
            client.create(map("shared", Map.of()));
            assertThat(reconciliations("shared").get(0).getLinks()).isEmpty();

            client.create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("shared")
                    .addToAnnotations("traceparent", WRITER)
                    .endMetadata()
                    .build());

            await("the link")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(reconciliations("shared"))
                            .flatExtracting(SpanData::getLinks)
                            .singleElement()
                            .satisfies(WriterLinkTests::isOfWriter)
                            .satisfies(link -> assertThat(link.getAttributes().get(TRIGGER))
                                    .isEqualTo("Secret.v1 default/shared CREATED")));
        });
    }

    @Test
    void valueWhenMalformedIsIgnored() {
        List<String> malformed = List.of(
                "",
                "no trace",
                TRACE,
                WRITER + "-more",
                WRITER.toUpperCase(Locale.ROOT),
                " " + WRITER,
                WRITER + "\n",
                "ff" + WRITER.substring(2),
                "00-" + "0".repeat(32) + "-" + SPAN + "-01",
                "00-" + TRACE + "-" + "0".repeat(16) + "-01",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-1");
        linkingRunner.run(context -> {
            Client client = context.getBean(Client.class);
            for (int i = 0; i < malformed.size(); i++) {
                client.create(map("malformed-" + i, Map.of("traceparent", malformed.get(i))));
            }
            client.create(map("later-version", Map.of("traceparent", "01-" + TRACE + "-" + SPAN + "-01-more")));
            for (int i = 0; i < malformed.size(); i++) {
                assertThat(reconciliations("malformed-" + i))
                        .as(malformed.get(i))
                        .allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
            }
            assertThat(reconciliations("later-version").get(0).getLinks())
                    .singleElement()
                    .satisfies(WriterLinkTests::isOfWriter);
        });
    }

    @Test
    void annotationWhenThePropertyNamesAnotherIsThatOne() {
        contextRunner
                .withPropertyValues("reconciler4j.tracing.link-annotation=example.com/writer")
                .run(context -> {
                    Client client = context.getBean(Client.class);
                    client.create(map("other", Map.of("traceparent", WRITER)));
                    client.create(map("named", Map.of("example.com/writer", "00-" + TRACE + "-" + SPAN + "-00")));
                    assertThat(reconciliations("other").get(0).getLinks()).isEmpty();
                    assertThat(reconciliations("named").get(0).getLinks())
                            .singleElement()
                            .satisfies(link -> assertThat(link.getSpanContext().isSampled())
                                    .isFalse());
                });
    }

    /** A reconciliation that something has triggered. */
    private record TestRun(List<Trigger> triggers) implements ReconcileObserver.Run, ReconcileContext {

        @Override
        public String controller() {
            return "test";
        }

        @Override
        public Optional<KindName> kind() {
            return Optional.empty();
        }

        @Override
        public ReconcileContext context() {
            return this;
        }

        @Override
        public Duration waited() {
            return Duration.ZERO;
        }

        @Override
        public Request request() {
            return new Request("default", "one");
        }

        @Override
        public String reconcileId() {
            return "test";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Optional<Instant> deadline() {
            return Optional.empty();
        }
    }

    private void observe(AssertableApplicationContext context, Trigger... triggers) {
        LinkingTracingHandler handler = context.getBean(LinkingTracingHandler.class);
        ReconcileObservationContext observed = new ReconcileObservationContext(new TestRun(List.of(triggers)));
        observed.setName("test");
        handler.onStart(observed);
        handler.onStop(observed);
    }

    @Test
    void kindWhenItHasNotSyncedIsNotRead() {
        linkingRunner.withPropertyValues("reconciler4j.auto-startup=false").run(context -> {
            Manager manager = context.getBean(Manager.class);
            int kinds = manager.cache().kinds().size();
            observe(
                    context,
                    Trigger.of("ConfigMap.v1", ObjectKey.of("default", "one"), Trigger.Change.UPDATED),
                    Trigger.of("Service.v1", ObjectKey.of("default", "one"), Trigger.Change.UPDATED));
            assertThat(manager.cache().kinds()).hasSize(kinds);
            assertThat(server.requests().all()).isEmpty();
            assertThat(exporter.getFinishedSpanItems())
                    .singleElement()
                    .satisfies(span -> assertThat(span.getLinks()).isEmpty());
        });
    }

    @Test
    void triggersWithoutAWriterHaveNoLinksAndOneWriterHasOneLink() {
        linkingRunner.run(context -> {
            context.getBean(Client.class).create(map("first", Map.of("traceparent", WRITER)));
            context.getBean(Client.class).create(map("second", Map.of("traceparent", WRITER)));
            reconciliations("first");
            reconciliations("second");
            exporter.reset();
            ObjectKey first = ObjectKey.of("default", "first");
            observe(
                    context,
                    Trigger.external("clock"),
                    Trigger.others("ConfigMap.v1", 3),
                    Trigger.of("clock", first, Trigger.Change.EXTERNAL),
                    Trigger.of("ConfigMap.v1", first, Trigger.Change.RESYNC),
                    Trigger.of("ConfigMap.v1", first, Trigger.Change.DELETED),
                    Trigger.of("ConfigMap.v1", ObjectKey.of("default", "missing"), Trigger.Change.UPDATED));
            observe(
                    context,
                    Trigger.of("ConfigMap.v1", first, Trigger.Change.INITIAL),
                    Trigger.of("ConfigMap.v1", ObjectKey.of("default", "second"), Trigger.Change.UPDATED));
            assertThat(exporter.getFinishedSpanItems())
                    .extracting(span -> span.getLinks().size())
                    .containsExactly(0, 1);
        });
    }

    @Test
    void handlerWhenNotAskedForOrWithoutTracingDoesNotExist() {
        String annotation = "reconciler4j.tracing.link-annotation=traceparent";
        ApplicationContextRunner runner =
                TracedApplication.runner(server, exporter).withPropertyValues("reconciler4j.auto-startup=false");
        Stream.of(
                        runner,
                        runner.withPropertyValues("reconciler4j.tracing.link-annotation=false"),
                        runner.withPropertyValues(annotation, "reconciler4j.enabled=false"),
                        runner.withPropertyValues(annotation)
                                .withClassLoader(new FilteredClassLoader(DefaultTracingObservationHandler.class)))
                .forEach(configured -> configured.run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean("reconciler4jLinkingTracingHandler")));
    }
}
