package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.CutPoint;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parents that are deleted while their children are created, answers are lost, and the watch of the children is late. The
 * children have no owner, so nothing but the cleaner, which reads them from the cache, deletes them. More seeds:
 * {@code -Dcleanup.seeds=100}.
 */
class ControllerCleanupTests extends ControllerTestServerFixture {

    private static final long SEEDS = Long.getLong("cleanup.seeds", 2);
    private static final long FIRST = Long.getLong("cleanup.seed", 1);
    private static final int PARENTS = 40;
    private static final String PARENT = "example.com/parent";

    private final Set<String> attempted = ConcurrentHashMap.newKeySet();

    static LongStream seeds() {
        return LongStream.range(FIRST, FIRST + SEEDS);
    }

    private List<Secret> children(ReconcileContext context, Widget parent) {
        return context.client()
                .list(
                        Kind.of(Secret.class),
                        Selection.inNamespace(namespace)
                                .withLabelSelector(
                                        PARENT + "=" + parent.getMetadata().getName()));
    }

    private Result reconcile(Widget parent, ReconcileContext context) {
        String name = parent.getMetadata().getName();
        if (children(context, parent).isEmpty()) {
            try {
                context.client()
                        .create(new SecretBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(name)
                                .addToLabels(PARENT, name)
                                .endMetadata()
                                .build());
            } finally {
                attempted.add(name);
            }
        }
        return Result.done();
    }

    private CleanupResult cleanup(Widget parent, ReconcileContext context) {
        children(context, parent).forEach(context.client()::delete);
        return CleanupResult.done();
    }

    private void disturb(long seed) {
        RequestMatch writes = RequestMatch.writes().kind("Secret");
        server.faults().add(FaultRule.of(writes, Fault.cut(CutPoint.AFTER)).withProbability(0.3, seed));
        server.faults().add(FaultRule.of(writes, Fault.cut(CutPoint.BEFORE)).withProbability(0.1, seed + 1));
        server.faults()
                .add(FaultRule.of(RequestMatch.watches().kind("Secret"), Fault.delayEvents(Duration.ofMillis(300)))
                        .withProbability(0.8, seed + 2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void childrenWhenAnswersToTheirCreationAreLostAreCleanedUp(long seed) {
        widgets()
                .customizeOptions(options -> options.withMaxConcurrentReconciles(4))
                .reconciler(this::reconcile)
                .cleaner(this::cleanup)
                .addTo(manager);
        start();
        disturb(seed);
        Random random = new Random(seed);
        for (int i = 0; i < PARENTS; i++) {
            String name = "parent-" + i;
            Widget parent = client().create(Widget.of(namespace, name, 1));
            if (random.nextInt(4) > 0) {
                eventually("the first attempt to create the child of " + name, () -> attempted.contains(name));
            }
            client().delete(parent);
        }
        eventually(
                "all parents are gone",
                () -> client().live()
                        .list(Kind.of(Widget.class), Selection.inNamespace(namespace))
                        .isEmpty());
        assertThat(client().live().list(Kind.of(Secret.class), Selection.inNamespace(namespace)))
                .as("children of deleted parents, seed %d", seed)
                .extracting(child -> child.getMetadata().getName())
                .isEmpty();
    }
}
