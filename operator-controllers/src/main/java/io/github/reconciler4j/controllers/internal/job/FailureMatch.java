package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnExitCodesRequirement;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnPodConditionsPattern;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the failure policy of a Job says about a failed pod: the first rule that matches decides.
 *
 * @param action the action of that rule, {@code null} if no rule matches
 * @param message why the whole Job fails, {@code null} if it does not
 */
record FailureMatch(@Nullable String action, @Nullable String message) {

    private static final FailureMatch NO_RULE = new FailureMatch(null, null);
    private static final String FAIL_JOB = "FailJob";
    private static final Set<String> KNOWN = Set.of("Ignore", "FailIndex", "Count", FAIL_JOB);

    static FailureMatch of(@Nullable PodFailurePolicy policy, Pod pod) {
        List<PodFailurePolicyRule> rules = policy == null ? List.of() : policy.getRules();
        for (int i = 0; i < rules.size(); i++) {
            PodFailurePolicyRule rule = rules.get(i);
            Optional<String> match = match(rule, pod);
            if (match.isPresent() && KNOWN.contains(rule.getAction())) {
                return new FailureMatch(
                        rule.getAction(),
                        rule.getAction().equals(FAIL_JOB)
                                ? match.get() + " matching FailJob rule at index " + i
                                : null);
            }
        }
        return NO_RULE;
    }

    /** Whether the failure counts towards the backoff limits. */
    boolean counts() {
        return !"Ignore".equals(action);
    }

    boolean failsIndex() {
        return "FailIndex".equals(action);
    }

    private static Optional<String> match(PodFailurePolicyRule rule, Pod pod) {
        String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        if (rule.getOnExitCodes() != null) {
            return Stream.concat(
                            pod.getStatus().getContainerStatuses().stream(),
                            pod.getStatus().getInitContainerStatuses().stream())
                    .filter(container -> matches(rule.getOnExitCodes(), container))
                    .findFirst()
                    .map(container -> "Container " + container.getName() + " for pod " + name
                            + " failed with exit code " + exitCode(container));
        }
        return pod.getStatus().getConditions().stream()
                .filter(condition -> matches(rule.getOnPodConditions(), condition))
                .findFirst()
                .map(condition -> "Pod " + name + " has condition " + condition.getType());
    }

    private static boolean matches(PodFailurePolicyOnExitCodesRequirement required, ContainerStatus container) {
        Integer exitCode = exitCode(container);
        if (exitCode == null
                || exitCode == 0
                || (required.getContainerName() != null
                        && !required.getContainerName().equals(container.getName()))) {
            return false;
        }
        return switch (required.getOperator()) {
            case "In" -> required.getValues().contains(exitCode);
            case "NotIn" -> !required.getValues().contains(exitCode);
            default -> false;
        };
    }

    private static @Nullable Integer exitCode(ContainerStatus container) {
        return container.getState() == null || container.getState().getTerminated() == null
                ? null
                : container.getState().getTerminated().getExitCode();
    }

    private static boolean matches(List<PodFailurePolicyOnPodConditionsPattern> patterns, PodCondition condition) {
        return patterns.stream()
                .anyMatch(pattern -> pattern.getType().equals(condition.getType())
                        && pattern.getStatus().equals(condition.getStatus()));
    }
}
