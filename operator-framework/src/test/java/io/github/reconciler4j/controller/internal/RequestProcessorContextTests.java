package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.reconcile.ReconcileObserver.Run;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What a reconciliation and its observer know about it. */
class RequestProcessorContextTests extends RequestProcessorFixture {

    private static final KindName WEB_APP = KindName.of("example.io/v1", "WebApp");

    private final List<Map<String, String>> logged = new ArrayList<>();
    private final List<String> clusters = new ArrayList<>();

    RequestProcessorContextTests() {
        reconciler = (request, context) -> {
            logged.add(MDC.getCopyOfContextMap());
            clusters.add(WorkScope.cluster());
            MDC.put("own", "of the reconciler");
            return Result.done();
        };
    }

    private double successes(String cluster) {
        return metrics.recorded("controller_runtime_reconcile_time_seconds{controller=test,cluster=" + cluster + "}")
                .size();
    }

    @Test
    void logContextHasTheRequestAndIsLeftEmpty() {
        process(A, 0);
        assertThat(logged)
                .containsExactly(Map.of(
                        "controller",
                        "test",
                        "namespace",
                        "ns",
                        "name",
                        "a",
                        "reconcileID",
                        contexts.get(0).reconcileId()));
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void logContextHasTheKindAndTheCluster() {
        create(options, WEB_APP);
        process(A.in("east"), 0);
        assertThat(logged.get(0))
                .containsEntry("controllerGroup", "example.io")
                .containsEntry("controllerKind", "WebApp")
                .containsEntry("cluster", "east");
    }

    @Test
    void requestOfAnotherClusterIsReconciledAndCountedThere() {
        definition.metrics().joined("east");
        process(A.in("east"), 0);
        process(A, 0);
        assertThat(clusters).containsExactly("east", "");
        assertThat(WorkScope.cluster()).isEmpty();
        assertThat(successes("east")).isEqualTo(1);
        assertThat(results("success")).isEqualTo(1);
        assertThat(contexts.get(0).cluster()).isEqualTo("east");
    }

    @Test
    void requestOfTheClusterOfTheThreadIsReconciledThere() {
        WorkScope.inCluster("east", () -> process(A.in("east"), 0)).run();
        assertThat(clusters).containsExactly("east");
    }

    @Test
    void idsAreRandomUuids() {
        for (int i = 0; i < 8; i++) {
            process(A, 0);
        }
        List<UUID> ids = contexts.stream()
                .map(context -> UUID.fromString(context.reconcileId()))
                .toList();
        assertThat(ids).allMatch(id -> id.version() == 4 && id.variant() == 2);
        assertThat(ids).extracting(UUID::getMostSignificantBits).doesNotHaveDuplicates();
        assertThat(ids).extracting(UUID::getLeastSignificantBits).doesNotHaveDuplicates();
    }

    @Test
    void deadlineIsTheTimeoutFromNow() {
        process(A, 0);
        assertThat(contexts.get(0).deadline()).isEmpty();
        create(options.withReconcileTimeout(Duration.ofHours(1)), null);
        Instant before = Instant.now().plus(Duration.ofHours(1));
        process(A, 0);
        assertThat(contexts.get(1).deadline())
                .hasValueSatisfying(deadline ->
                        assertThat(deadline).isBetween(before, Instant.now().plus(Duration.ofHours(1))));
    }

    @Test
    void observerSeesTheRun() {
        create(options, WEB_APP);
        queue.add(A);
        time.advance(Duration.ofSeconds(3));
        process(A, 0);
        Run run = started.get(0);
        assertThat(run.controller()).isEqualTo("test");
        assertThat(run.kind()).contains(WEB_APP);
        assertThat(run.context()).isSameAs(contexts.get(0));
        assertThat(run.waited()).isEqualTo(Duration.ofSeconds(3));
        assertThat(ended).containsExactly(Outcome.SUCCESS);
        create(options, null);
        process(A, 0);
        assertThat(started.get(1).kind()).isEmpty();
    }

    @Test
    void observerWhenItFailsIsLoggedAndTheReconciliationSucceeds() {
        create(
                options.withObserver(run -> {
                    throw new NoClassDefFoundError("start");
                }),
                null);
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            process(A, 0);
            assertThat(log.lines(Level.WARN)).containsExactly("WARN The observer of controller test failed +stack");
        }
        create(
                options.withObserver(run -> (outcome, failure) -> {
                    throw new NoClassDefFoundError("end");
                }),
                null);
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            process(A, 0);
            assertThat(log.lines(Level.WARN)).containsExactly("WARN The observer of controller test failed +stack");
        }
        assertThat(results("success")).isEqualTo(2);
    }
}
