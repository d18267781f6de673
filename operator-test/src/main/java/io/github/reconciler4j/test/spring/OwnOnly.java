package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.util.List;

/** The policy that lets the operator write its own objects only, if {@code reconciler4j-maven-plugin} has generated it. */
final class OwnOnly {

    /** Where the plugin writes the policy. */
    private static final String GENERATED = "classpath:META-INF/reconciler4j/own-only.yaml";

    private OwnOnly() {}

    /**
     * Installs the policy beside the generated roles.
     *
     * @param roles the places of the roles
     * @param account the account that the operator has on a cluster, and that the policy is for
     */
    static void install(TestCluster cluster, List<String> roles, Subject account) {
        if (!roles.contains(RoleFiles.GENERATED) || !RoleFiles.exists(List.of(GENERATED))) {
            return;
        }
        String user = "system:serviceaccount:" + account.getNamespace() + ":" + account.getName();
        for (HasMetadata object : RoleFiles.read(List.of(GENERATED))) {
            if (object instanceof ValidatingAdmissionPolicy policy) {
                for (MatchCondition condition : policy.getSpec().getMatchConditions()) {
                    condition.setExpression(
                            condition.getExpression().replace("'" + user + "'", "'" + TestCluster.OPERATOR + "'"));
                }
            }
            cluster.client().resource(object).serverSideApply();
        }
    }
}
