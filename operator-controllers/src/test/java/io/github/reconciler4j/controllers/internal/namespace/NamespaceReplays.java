package io.github.reconciler4j.controllers.internal.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceCondition;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of its namespace controller. */
public final class NamespaceReplays {

    private static final String DELETION = "namespace/deletion.";
    private static final Instant NOW = Instant.parse("2040-01-01T00:00:00Z");

    private NamespaceReplays() {}

    public static Replays all() {
        return new Replays()
                .replay(
                        DELETION + "finalized",
                        call -> assertThat(NamespaceFinalizer.isFinalized(namespace(call)))
                                .isEqualTo(call.out(0).asBoolean()))
                .replay(
                        DELETION + "namespacedResourcesDeleter.finalizeNamespace",
                        call -> assertThat(NamespaceFinalizer.withoutOwn(namespace(call)))
                                .isEqualTo(call.notes("finalizers", String.class)))
                .replay(DELETION + "updateConditions", NamespaceReplays::conditions)
                .replay(DELETION + "namespaceConditionUpdater.ProcessContentTotals", NamespaceReplays::remaining);
    }

    private static Namespace namespace(UpstreamCase call) {
        return Objects.requireNonNull(call.in("namespace", Namespace.class));
    }

    private static void conditions(UpstreamCase call) {
        NamespaceConditions conditions = new NamespaceConditions();
        for (NamespaceCondition condition : call.list("newConditions", NamespaceCondition.class)) {
            for (NamespaceProblem problem : NamespaceProblem.values()) {
                if (problem.type().equals(condition.getType())) {
                    conditions.report(problem, condition.getReason(), condition.getMessage());
                }
            }
        }
        List<NamespaceCondition> before = list(call.in("status"));
        List<NamespaceCondition> after = conditions.applyTo(before, NOW);

        JsonNode upstream =
                call.note("after").has("status") ? call.note("after").get("status") : call.in("status");
        assertThat(texts(after)).isEqualTo(texts(list(upstream)));
        for (int i = 0; i < before.size(); i++) {
            boolean same =
                    Objects.equals(before.get(i).getStatus(), after.get(i).getStatus());
            assertThat(NOW.toString().equals(after.get(i).getLastTransitionTime()))
                    .isEqualTo(!same);
        }
        assertThat(!after.equals(before)).isEqualTo(call.out(0).asBoolean());
    }

    private static List<NamespaceCondition> list(JsonNode status) {
        return UpstreamCase.readList(status.path("conditions"), NamespaceCondition.class);
    }

    private static List<String> texts(List<NamespaceCondition> conditions) {
        return conditions.stream()
                .map(each -> each.getType() + "=" + each.getStatus() + "/" + text(each.getReason()) + ": "
                        + text(each.getMessage()))
                .toList();
    }

    private static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }

    private static void remaining(UpstreamCase call) {
        Remaining remaining = new Remaining();
        call.note("remaining")
                .properties()
                .forEach(each -> remaining.add(each.getKey(), each.getValue().asInt()));
        call.in("contentTotals")
                .path("finalizersToNumRemaining")
                .properties()
                .forEach(each ->
                        remaining.addFinalizer(each.getKey(), each.getValue().asInt()));
        List<String> texts = new ArrayList<>();
        for (NamespaceCondition condition : call.notes("newConditions", NamespaceCondition.class)) {
            if (condition.getType().endsWith("Remaining")) {
                texts.add(condition.getMessage());
            }
        }

        assertThat(List.of(remaining.resourceText(), remaining.finalizerText()).stream()
                        .filter(text -> !text.isEmpty()))
                .isEqualTo(texts);
    }
}
