package io.github.reconciler4j.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a report as JSON. The field {@code version} changes if a reader has to. */
final class PlanJson {

    private static final int VERSION = 1;

    private PlanJson() {}

    static String write(PlanReport report) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", VERSION);
        tree.put("operator", report.operator());
        tree.put("operatorVersion", report.version());
        tree.put("exitCode", report.exitCode());
        Map<String, Object> summary = new LinkedHashMap<>();
        for (Effect effect : Effect.values()) {
            summary.put(
                    PlanText.word(effect),
                    report.changes().stream()
                            .filter(change -> change.effect() == effect)
                            .count());
        }
        tree.put("summary", summary);
        tree.put("counts", report.counts());
        tree.put(
                "groups",
                ChangeGroup.of(report.changes()).stream().map(PlanJson::group).toList());
        tree.put("changes", report.changes().stream().map(PlanJson::change).toList());
        tree.put("problems", report.problems());
        try {
            return KubernetesJson.mapper().writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The report cannot be written as JSON", e);
        }
    }

    private static Map<String, Object> group(ChangeGroup group) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("effect", PlanText.word(group.effect()));
        tree.put("apiVersion", group.kind().apiVersion());
        tree.put("kind", group.kind().kind());
        tree.put("subresource", group.subresource());
        tree.put("fields", fields(group.fields()));
        tree.put(
                "objects",
                group.changes().stream().map(change -> change.key().toString()).toList());
        return tree;
    }

    private static Map<String, Object> change(PlannedChange change) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("effect", PlanText.word(change.effect()));
        tree.put("apiVersion", change.kind().apiVersion());
        tree.put("kind", change.kind().kind());
        tree.put("namespace", change.key().namespace());
        tree.put("name", change.key().name());
        tree.put("subresource", change.subresource());
        tree.put("after", change.after());
        tree.put("causes", change.causes());
        tree.put("fields", fields(change.fields()));
        return tree;
    }

    private static List<Map<String, String>> fields(List<Change> fields) {
        return fields.stream()
                .map(field -> {
                    Map<String, String> tree = new LinkedHashMap<>();
                    tree.put("path", field.path());
                    tree.put("before", field.before());
                    tree.put("after", field.after());
                    return tree;
                })
                .toList();
    }
}
