package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the statuses of PodDisruptionBudgets. */
final class BudgetStatuses {

    static final String CONDITION = "DisruptionAllowed";

    private BudgetStatuses() {}

    /** Return a status. Without pods, nothing may be disrupted: the first pods may come before the next status. */
    static PodDisruptionBudgetStatus of(
            PodDisruptionBudget budget,
            Expectation expected,
            int healthy,
            Map<String, String> disruptedPods,
            Instant now) {
        int allowed = expected.pods() <= 0 ? 0 : Math.max(0, healthy - expected.healthy());
        PodDisruptionBudgetStatus status = new PodDisruptionBudgetStatus();
        status.setCurrentHealthy(healthy);
        status.setDesiredHealthy(expected.healthy());
        status.setExpectedPods(expected.pods());
        status.setDisruptionsAllowed(allowed);
        status.setDisruptedPods(disruptedPods.isEmpty() ? null : disruptedPods);
        status.setObservedGeneration(budget.getMetadata().getGeneration());
        status.setConditions(conditions(
                budget,
                allowed > 0,
                allowed > 0 ? "SufficientPods" : "InsufficientPods",
                null,
                status.getObservedGeneration(),
                now));
        return status;
    }

    /** Return a status that allows nothing, because the right one cannot be determined. */
    static PodDisruptionBudgetStatus failed(PodDisruptionBudget budget, String message, Instant now) {
        PodDisruptionBudgetStatus old =
                Objects.requireNonNullElseGet(budget.getStatus(), PodDisruptionBudgetStatus::new);
        PodDisruptionBudgetStatus status = new PodDisruptionBudgetStatus();
        status.setCurrentHealthy(Numbers.orZero(old.getCurrentHealthy()));
        status.setDesiredHealthy(Numbers.orZero(old.getDesiredHealthy()));
        status.setExpectedPods(Numbers.orZero(old.getExpectedPods()));
        status.setDisruptionsAllowed(0);
        status.setDisruptedPods(old.getDisruptedPods());
        status.setObservedGeneration(old.getObservedGeneration());
        status.setConditions(conditions(budget, false, "SyncFailed", message, old.getObservedGeneration(), now));
        return status;
    }

    /** The time of a condition is when its status changed. */
    private static List<Condition> conditions(
            PodDisruptionBudget budget,
            boolean allowed,
            String reason,
            @Nullable String message,
            @Nullable Long generation,
            Instant now) {
        List<Condition> conditions = new ArrayList<>(
                budget.getStatus() == null ? List.of() : budget.getStatus().getConditions());
        Condition present = conditions.stream()
                .filter(condition -> CONDITION.equals(condition.getType()))
                .findFirst()
                .orElse(null);
        String value = allowed ? "True" : "False";
        String since = present != null && value.equals(present.getStatus())
                ? present.getLastTransitionTime()
                : Times.format(now);
        Condition condition = new ConditionBuilder()
                .withType(CONDITION)
                .withStatus(value)
                .withReason(reason)
                .withMessage(message == null ? "" : message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build();
        if (present == null) {
            conditions.add(condition);
        } else {
            conditions.set(conditions.indexOf(present), condition);
        }
        return conditions;
    }

    /** Whether a status says all that another one says; the message of the condition does not matter. */
    static boolean isUpToDate(@Nullable PodDisruptionBudgetStatus present, PodDisruptionBudgetStatus wanted) {
        return present != null
                && Objects.equals(present.getCurrentHealthy(), wanted.getCurrentHealthy())
                && Objects.equals(present.getDesiredHealthy(), wanted.getDesiredHealthy())
                && Objects.equals(present.getExpectedPods(), wanted.getExpectedPods())
                && Objects.equals(present.getDisruptionsAllowed(), wanted.getDisruptionsAllowed())
                && disrupted(present).equals(disrupted(wanted))
                && Objects.equals(present.getObservedGeneration(), wanted.getObservedGeneration())
                && word(present).equals(word(wanted));
    }

    private static Map<String, String> disrupted(PodDisruptionBudgetStatus status) {
        return Objects.requireNonNullElse(status.getDisruptedPods(), Map.of());
    }

    private static String word(PodDisruptionBudgetStatus status) {
        return status.getConditions().stream()
                .filter(condition -> CONDITION.equals(condition.getType()))
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .findFirst()
                .orElse("");
    }
}
