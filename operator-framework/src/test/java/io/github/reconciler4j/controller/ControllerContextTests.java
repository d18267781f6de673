package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.KindSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The context of a reconciliation, and of its log. */
class ControllerContextTests {

    private static final KindInfo POD = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    @Test
    void reasonsSayWhatChangedWhereAndHowOften() throws Exception {
        TestInformer<String> pods = new TestInformer<>(POD);
        pods.sync();
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done())) {
            fixture.controller.watch(
                    new KindSource<>(pods, EventHandlers.mapping(name -> List.of(A)), EventPredicates.allOf()));
            fixture.controller.operations().pause();
            fixture.started();
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "x")));
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "y")));
            pods.deliver(TestSnapshot.deleted(TestHeader.of("default", "x")));
            fixture.channel.send(A);
            fixture.controller.operations().resume();
            fixture.awaitRuns(1);
            fixture.awaitIdle();
            assertThat(fixture.runs)
                    .singleElement()
                    .extracting(ReconcileContext::triggers)
                    .isEqualTo(List.of(
                            Trigger.of("Pod.v1", ObjectKey.of("default", "x"), Change.CREATED)
                                    .coalescedWith(Trigger.of("Pod.v1", ObjectKey.of("default", "x"), Change.DELETED)),
                            Trigger.of("Pod.v1", ObjectKey.of("default", "y"), Change.CREATED),
                            Trigger.external("channel")));
            assertThat(fixture.runs.get(0).triggers().get(0)).hasToString("Pod.v1 default/x DELETED x2");
        }
    }

    @Test
    void triggersOfAFailedReconciliationAreKeptForItsRetry() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            if (context.attempt() == 1) {
                throw new IllegalStateException("once");
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(2);
            assertThat(fixture.runs.get(1).triggers()).containsExactly(Trigger.external("channel"));
        }
    }

    @Test
    void everyReconciliationHasItsOwnIdInTheLogContext() throws Exception {
        List<Map<String, String>> logged = new CopyOnWriteArrayList<>();
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            logged.add(new HashMap<>(MDC.getCopyOfContextMap()));
            MDC.put("own", "of " + request);
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(1);
            fixture.channel.send(B);
            fixture.awaitRuns(2);
        }
        assertThat(logged).hasSize(2);
        String first = logged.get(0).get("reconcileID");
        assertThat(UUID.fromString(first).version()).isEqualTo(4);
        assertThat(logged.get(0))
                .isEqualTo(Map.of("controller", "test", "namespace", "default", "name", "a", "reconcileID", first));
        assertThat(logged.get(1)).containsEntry("name", "b").doesNotContainKey("own");
        assertThat(logged.get(1).get("reconcileID")).isNotEqualTo(first);
    }

    @Test
    void logContextOfAControllerForAKindHasTheKind() throws Exception {
        List<Map<String, String>> logged = new CopyOnWriteArrayList<>();
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
        Controller<Request> controller = Controller.create(
                "webapp",
                KindName.of("example.io/v1", "WebApp"),
                (request, context) -> {
                    logged.add(MDC.getCopyOfContextMap());
                    return Result.done();
                },
                ControllerOptions.defaults(),
                OperatorMetrics.NONE);
        controller.watch(channel);
        controller.start();
        channel.send(A);
        ControllerFixture.eventually("logged", () -> logged.size() == 1);
        controller.stop(Duration.ofSeconds(30));
        assertThat(logged.get(0))
                .containsEntry("controller", "webapp")
                .containsEntry("controllerGroup", "example.io")
                .containsEntry("controllerKind", "WebApp")
                .containsEntry("namespace", "default")
                .containsEntry("name", "a")
                .containsKey("reconcileID")
                .hasSize(6);
    }

    record Tenant(String cluster, int number) {}

    @Test
    void requestOfAnotherTypeIsNamedByItsText() throws Exception {
        ChannelSource<Tenant, Tenant> channel = ChannelSource.ofRequests("tenants");
        List<Tenant> seen = new CopyOnWriteArrayList<>();
        List<Request> named = new CopyOnWriteArrayList<>();
        Controller<Tenant> controller = Controller.create(
                "tenants",
                (tenant, context) -> {
                    named.add(context.request());
                    seen.add(tenant);
                    return Result.done();
                },
                ControllerOptions.defaults().withFairNamespaces(1),
                OperatorMetrics.NONE);
        controller.watch(channel);
        controller.start();
        channel.send(new Tenant("east", 7));
        ControllerFixture.eventually("seen", () -> seen.size() == 1);
        controller.stop(Duration.ofSeconds(30));
        assertThat(seen).containsExactly(new Tenant("east", 7));
        assertThat(named).containsExactly(new Request("", "Tenant[cluster=east, number=7]"));
    }

    @Test
    void contextForTestsIsAFirstAttempt() {
        ReconcileContext context = ReconcileContext.of(A);
        assertThat(context.request()).isEqualTo(A);
        assertThat(context.attempt()).isEqualTo(1);
        assertThat(context.triggers()).isEmpty();
        assertThat(context.deadline()).isEmpty();
        assertThat(context.reconcileId()).isNotEqualTo(ReconcileContext.of(A).reconcileId());
    }
}
