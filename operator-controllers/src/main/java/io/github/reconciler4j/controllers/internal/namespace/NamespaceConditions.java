package io.github.reconciler4j.controllers.internal.namespace;

import io.fabric8.kubernetes.api.model.NamespaceCondition;
import io.fabric8.kubernetes.api.model.NamespaceConditionBuilder;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Collects what went wrong while a namespace was emptied, and writes it into its conditions. Not thread-safe. */
final class NamespaceConditions {

    private final Map<NamespaceProblem, NamespaceCondition> found = new EnumMap<>(NamespaceProblem.class);

    /** Report a problem. The first report of each counts. */
    void report(NamespaceProblem problem, String message) {
        report(problem, problem.reason(), message);
    }

    void report(NamespaceProblem problem, String reason, String message) {
        found.putIfAbsent(problem, condition(problem, "True", reason, message));
    }

    /** Report what is left. */
    void report(Remaining remaining) {
        if (!remaining.resourceText().isEmpty()) {
            report(NamespaceProblem.CONTENT, remaining.resourceText());
        }
        if (!remaining.finalizerText().isEmpty()) {
            report(NamespaceProblem.FINALIZERS, remaining.finalizerText());
        }
    }

    /** Report why objects could not be deleted. */
    void reportDeletions(Collection<String> failures) {
        if (!failures.isEmpty()) {
            report(
                    NamespaceProblem.DELETION,
                    "Failed to delete all resource types, " + failures.size() + " remaining: "
                            + String.join(", ", failures.stream().sorted().toList()));
        }
    }

    /**
     * Return the conditions of a namespace with what was found. Other conditions stay, and so does the order. A condition has
     * the present time if it is new or its status is another one.
     */
    List<NamespaceCondition> applyTo(List<NamespaceCondition> before, Instant now) {
        List<NamespaceCondition> after = new ArrayList<>(before);
        for (NamespaceProblem problem : NamespaceProblem.values()) {
            NamespaceCondition condition = found.getOrDefault(
                    problem, condition(problem, "False", problem.solvedReason(), problem.solvedMessage()));
            int index = indexOf(before, problem.type());
            if (index < 0) {
                after.add(at(condition, Times.format(now)));
            } else {
                NamespaceCondition old = before.get(index);
                boolean sameStatus = Objects.equals(old.getStatus(), condition.getStatus());
                after.set(index, at(condition, sameStatus ? old.getLastTransitionTime() : Times.format(now)));
            }
        }
        return after;
    }

    private static int indexOf(List<NamespaceCondition> conditions, String type) {
        for (int i = 0; i < conditions.size(); i++) {
            if (type.equals(conditions.get(i).getType())) {
                return i;
            }
        }
        return -1;
    }

    private static NamespaceCondition condition(
            NamespaceProblem problem, String status, String reason, String message) {
        return new NamespaceConditionBuilder()
                .withType(problem.type())
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .build();
    }

    private static NamespaceCondition at(NamespaceCondition condition, String time) {
        return new NamespaceConditionBuilder(condition)
                .withLastTransitionTime(time)
                .build();
    }
}
