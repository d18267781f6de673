package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.batch.v1.SuccessPolicy;
import io.fabric8.kubernetes.api.model.batch.v1.SuccessPolicyRule;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether the indexes that have succeeded are enough for the success policy of a Job. */
final class SuccessPolicies {

    private SuccessPolicies() {}

    /** Return a message that names the rule that is met; empty if none is. */
    static Optional<String> match(@Nullable SuccessPolicy policy, int completions, Indexes succeeded) {
        if (policy == null || succeeded.isEmpty()) {
            return Optional.empty();
        }
        List<SuccessPolicyRule> rules = policy.getRules();
        for (int i = 0; i < rules.size(); i++) {
            if (isMet(rules.get(i), completions, succeeded)) {
                return Optional.of("Matched rules at index " + i);
            }
        }
        return Optional.empty();
    }

    private static boolean isMet(SuccessPolicyRule rule, int completions, Indexes succeeded) {
        Integer count = rule.getSucceededCount();
        if (rule.getSucceededIndexes() == null) {
            return count != null && succeeded.size() >= count;
        }
        Indexes wanted = Indexes.parse(rule.getSucceededIndexes(), completions);
        int met = wanted.overlap(succeeded);
        return !wanted.isEmpty() && (met == wanted.size() || (count != null && met >= count));
    }
}
