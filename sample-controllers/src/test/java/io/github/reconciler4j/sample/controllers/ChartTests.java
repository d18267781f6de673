package io.github.reconciler4j.sample.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks the chart that the build generates. */
class ChartTests {

    @Test
    void lintWhenDefaultsFindsNothingWrong() {
        LintResult result = Chart.helm().lint().strict().call();

        assertThat(result.isFailed())
                .as(() -> String.join("\n", result.getMessages()))
                .isFalse();
    }

    @Test
    void roleWhenDefaultsHasWhatTheControllersUseAndNoMore() {
        List<PolicyRule> rules = Chart.render().stream()
                .filter(ClusterRole.class::isInstance)
                .map(ClusterRole.class::cast)
                .filter(role -> role.getMetadata().getName().equals("demo-sample-controllers"))
                .flatMap(role -> role.getRules().stream())
                .toList();

        // The garbage collector and the Namespace controller delete objects of all kinds, and budgets ask for any
        // scale.
        assertThat(rules)
                .filteredOn(rule -> rule.getApiGroups().contains("*"))
                .flatExtracting(PolicyRule::getResources)
                .containsExactlyInAnyOrder("*", "*/scale");
        assertThat(rules).filteredOn(rule -> !rule.getApiGroups().contains("*")).allSatisfy(rule -> {
            assertThat(rule.getResources()).doesNotContain("*", "secrets");
            assertThat(rule.getVerbs()).doesNotContain("*", "deletecollection");
        });
        assertThat(verbs(rules, "nodes")).containsExactlyInAnyOrder("list", "watch");
        assertThat(verbs(rules, "pods")).containsExactlyInAnyOrder("get", "list", "watch", "create", "patch", "delete");
    }

    private static List<String> verbs(List<PolicyRule> rules, String resource) {
        return rules.stream()
                .filter(rule -> rule.getResources().contains(resource))
                .flatMap(rule -> rule.getVerbs().stream())
                .toList();
    }

    @Test
    void leaderElectionWhenDefaultsIsOn() {
        assertThat(Chart.render())
                .filteredOn(ConfigMap.class::isInstance)
                .extracting(map -> ((ConfigMap) map).getData().toString())
                .allSatisfy(properties -> assertThat(properties).contains("reconciler4j.leader-election.enabled=true"));
    }
}
