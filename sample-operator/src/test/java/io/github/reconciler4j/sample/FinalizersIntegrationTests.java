package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The right to update finalizers of WebApps. API servers with the admission plugin OwnerReferencesPermissionEnforcement, as
 * OpenShift has it, demand it of everyone who makes a WebApp the owner of an object.
 */
@Tag("whole")
class FinalizersIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void operatorWhenOwnersAreEnforcedWorksOnlyWithTheRightToFinalizers() throws Exception {
        RealKubernetesOptions options = RealKubernetesOptions.defaults()
                .withOnly(KubernetesComponent.CONTROLLER_MANAGER)
                .withArgument(
                        KubernetesComponent.APISERVER,
                        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement");
        try (RealKubernetes kubernetes = RealKubernetes.start(options);
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(kubernetes.config())
                        .build()) {
            InstalledChart chart = InstalledChart.install(kubernetes, folder, Map.of());
            try (OperatorProcess operator = chart.start().awaitReady()) {
                apply(kubernetes, "before");
                await("the Deployment").atMost(Duration.ofMinutes(1)).until(() -> exists(client, "before"));

                client.resources(ClusterRole.class)
                        .withName("demo-sample-operator")
                        .edit(FinalizersIntegrationTests::withoutFinalizers);
                await("the API server applies the rule without the right")
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> !mayOwn(client));
                apply(kubernetes, "after");

                operator.awaitLog("cannot set blockOwnerDeletion");
                assertThat(exists(client, "after")).isFalse();
            }
        }
    }

    private static ClusterRole withoutFinalizers(ClusterRole role) {
        assertThat(role.getRules().removeIf(rule -> rule.getResources().contains("webapps/finalizers")))
                .isTrue();
        return role;
    }

    private static boolean mayOwn(KubernetesClient client) {
        SubjectAccessReview review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:" + InstalledChart.NAMESPACE + ":demo-sample-operator")
                .withNewResourceAttributes()
                .withNamespace("default")
                .withVerb("update")
                .withGroup(WebApp.GROUP)
                .withResource("webapps")
                .withSubresource("finalizers")
                .endResourceAttributes()
                .endSpec()
                .build();
        return client.resource(review).create().getStatus().getAllowed();
    }

    private static void apply(RealKubernetes kubernetes, String name) {
        kubernetes.kubectlWithInput(WebApps.yaml(name, "replicas: 1"), "-n", "default", "apply", "-f", "-");
    }

    private static boolean exists(KubernetesClient client, String deployment) {
        return client.apps()
                        .deployments()
                        .inNamespace("default")
                        .withName(deployment)
                        .get()
                != null;
    }
}
