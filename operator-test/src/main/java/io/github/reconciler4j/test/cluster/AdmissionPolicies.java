package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ExpressionWarning;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks admission policies on a real cluster. The control plane accepts a policy whose expressions do not fit the types of
 * fields, and reports this in the status of the policy only.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * AdmissionPolicies.assertNoTypeWarnings(cluster.client(), Duration.ofSeconds(30), "buckets.example.com");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class AdmissionPolicies {

    private AdmissionPolicies() {}

    /**
     * Wait until the control plane has checked the types of ValidatingAdmissionPolicies, and fail if it has warnings.
     *
     * @param timeout how long to wait for the check of each policy
     * @param names the names of the policies
     * @throws AssertionError if a policy has warnings, or if the control plane has not checked it in time
     */
    public static void assertNoTypeWarnings(KubernetesClient client, Duration timeout, String... names) {
        for (String name : names) {
            List<ExpressionWarning> warnings = warnings(check(client, timeout, name));
            if (!warnings.isEmpty()) {
                throw new AssertionError("The ValidatingAdmissionPolicy " + name + " has type warnings:\n"
                        + warnings.stream()
                                .map(warning -> warning.getFieldRef() + ": " + warning.getWarning())
                                .collect(Collectors.joining("\n")));
            }
        }
    }

    private static ValidatingAdmissionPolicyStatus check(KubernetesClient client, Duration timeout, String name) {
        try {
            return client.resources(ValidatingAdmissionPolicy.class)
                    .withName(name)
                    .waitUntilCondition(AdmissionPolicies::isChecked, timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .getStatus();
        } catch (KubernetesClientTimeoutException e) {
            throw new AssertionError(
                    "The control plane has not checked the ValidatingAdmissionPolicy " + name + " within " + timeout
                            + ": does it exist, and does the controller validatingadmissionpolicy-status run?",
                    e);
        }
    }

    private static boolean isChecked(@Nullable ValidatingAdmissionPolicy policy) {
        return policy != null
                && policy.getStatus() != null
                && Objects.equals(
                        policy.getStatus().getObservedGeneration(),
                        policy.getMetadata().getGeneration());
    }

    private static List<ExpressionWarning> warnings(ValidatingAdmissionPolicyStatus status) {
        return status.getTypeChecking() == null
                ? List.of()
                : Objects.requireNonNullElse(status.getTypeChecking().getExpressionWarnings(), List.of());
    }
}
