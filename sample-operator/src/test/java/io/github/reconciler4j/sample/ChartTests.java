package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChartTests {

    @Test
    void lintWhenDefaultsFindsNothingWrong() {
        LintResult result = Chart.helm().lint().strict().call();

        assertThat(result.isFailed())
                .as(() -> String.join("\n", result.getMessages()))
                .isFalse();
    }

    /** The build writes both; this finds a chart that was committed without a build. */
    @Test
    void crdWhenGeneratedEqualsTheOneInTheChart() throws IOException {
        CustomResourceDefinition built = new KubernetesSerialization()
                .unmarshal(
                        Files.readString(Path.of("target/classes/META-INF/crds/webapps.apps.reconciler4j.io.yaml")),
                        CustomResourceDefinition.class);

        CustomResourceDefinition inChart =
                Chart.one(Chart.render(Map.of("webhook", Map.of("enabled", false))), CustomResourceDefinition.class);
        assertThat(inChart.getSpec()).isEqualTo(built.getSpec());
        assertThat(inChart.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
    }

    @Test
    void podWhenDefaultsIsRestrictedAndProbed() {
        Deployment deployment = Chart.one(Chart.render(Map.of()), Deployment.class);

        var pod = deployment.getSpec().getTemplate().getSpec();
        Container container = pod.getContainers().get(0);
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(container.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/actuator/health/liveness");
        assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/actuator/health/readiness");
        assertThat(container.getResources().getLimits()).containsKey("memory");
    }

    @Test
    void rulesWhenDefaultsHaveNoWildcardAndNoWriteToSecrets() {
        ClusterRole role = Chart.one(Chart.render(Map.of()), ClusterRole.class, "demo-sample-operator");

        assertThat(role.getRules()).allSatisfy(rule -> {
            assertThat(rule.getApiGroups()).doesNotContain("*");
            assertThat(rule.getResources()).doesNotContain("*");
            assertThat(rule.getVerbs()).doesNotContain("*", "deletecollection");
            if (rule.getVerbs().contains("delete")) { // the one kind that a WebApp can do without
                assertThat(rule.getResources()).containsExactly("configmaps");
            }
        });
        assertThat(rulesFor(role.getRules(), "secrets"))
                .singleElement()
                .satisfies(rule -> assertThat(rule.getVerbs()).containsExactly("get", "list", "watch"));
    }

    /** Tests run the operator under the generated roles, so these must be the ones of the chart, but for names of a release. */
    @Test
    void rulesWhenAllIsOnAreThoseThatTestsRunUnder() throws IOException {
        List<HasMetadata> objects = Chart.render(Map.of("sharding", Map.of("enabled", true)));
        KubernetesSerialization serialization = new KubernetesSerialization();
        String roles = Files.readString(Path.of("target/classes/META-INF/reconciler4j/rbac.yaml"));
        List<HasMetadata> generated = Arrays.stream(roles.split("(?m)^---$"))
                .map(document -> (HasMetadata) serialization.unmarshal(document))
                .toList();

        assertThat(rights(Chart.one(objects, ClusterRole.class, "demo-sample-operator")
                        .getRules()))
                .isEqualTo(rights(Chart.one(generated, ClusterRole.class).getRules()));
        for (String role :
                List.of("sample-operator-leader-election", "sample-operator-sharding", "sample-operator-webhook")) {
            assertThat(rights(Chart.one(objects, Role.class, "demo-" + role).getRules()))
                    .isEqualTo(rights(Chart.one(generated, Role.class, role).getRules()));
        }
    }

    /** Each right once: values of the chart divide some rules. The names of objects depend on the release. */
    private static Set<String> rights(List<PolicyRule> rules) {
        Set<String> rights = new TreeSet<>();
        for (PolicyRule rule : rules) {
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    rule.getVerbs()
                            .forEach(verb -> rights.add(verb + " " + resource + "." + group
                                    + (rule.getResourceNames().isEmpty() ? "" : " named")));
                }
            }
        }
        assertThat(rights).isNotEmpty();
        return rights;
    }

    @Test
    void rulesWhenSecretsDisabledHaveNoSecrets() {
        ClusterRole role = Chart.one(
                Chart.render(Map.of("secrets", Map.of("enabled", false))), ClusterRole.class, "demo-sample-operator");

        assertThat(rulesFor(role.getRules(), "secrets")).isEmpty();
    }

    @Test
    void rulesWhenNamespacesGivenAreRolesInThese() {
        List<HasMetadata> objects = Chart.render(Map.of("watchNamespaces", List.of("red", "blue")));

        assertThat(objects)
                .filteredOn(ClusterRole.class::isInstance)
                .extracting(role -> role.getMetadata().getName())
                .containsExactly(
                        "demo-sample-operator-cluster",
                        "demo-sample-operator-webapps-view",
                        "demo-sample-operator-webapps-edit",
                        "demo-sample-operator-webapps-admin");
        assertThat(objects.stream()
                        .filter(Role.class::isInstance)
                        .map(role -> role.getMetadata().getNamespace()))
                .containsExactlyInAnyOrder("red", "blue", "operators", "operators");
        assertThat(properties(objects)).contains("reconciler4j.cache.namespaces=red,blue");
    }

    @Test
    void shardingWhenEnabledHasItsPropertiesAndItsRole() {
        List<HasMetadata> objects =
                Chart.render(Map.of("replicas", 3, "sharding", Map.of("enabled", true, "shards", 32)));

        assertThat(properties(objects))
                .contains(
                        "reconciler4j.sharding.enabled=true",
                        "reconciler4j.sharding.name=demo-sample-operator",
                        "reconciler4j.sharding.lease-namespace=operators",
                        "reconciler4j.sharding.shards=32");
        assertThat(Chart.one(objects, Role.class, "demo-sample-operator-sharding")
                        .getRules())
                .singleElement()
                .satisfies(rule -> assertThat(rule.getVerbs())
                        .containsExactlyInAnyOrder("get", "list", "create", "update", "patch", "delete"));
        assertThat(Chart.render(Map.of()))
                .noneMatch(object -> object.getMetadata().getName().endsWith("-sharding"));
        assertThat(properties(Chart.render(Map.of())))
                .contains("reconciler4j.sharding.enabled=false")
                .doesNotContain("lease-namespace");
    }

    @Test
    void propertiesWhenGivenReachTheOperator() {
        List<HasMetadata> objects = Chart.render(Map.of(
                "properties", Map.of("logging.level.root", "debug"), "leaderElection", Map.of("enabled", false)));

        assertThat(properties(objects))
                .contains("logging.level.root=debug", "reconciler4j.leader-election.enabled=false");
    }

    @Test
    void serviceAccountWhenNamedIsUsedByThePod() {
        List<HasMetadata> objects = Chart.render(Map.of("serviceAccount", Map.of("name", "robot")));

        assertThat(Chart.one(objects, ServiceAccount.class).getMetadata().getName())
                .isEqualTo("robot");
        assertThat(Chart.one(objects, Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getServiceAccountName())
                .isEqualTo("robot");
    }

    @Test
    void metricsServiceWhenDisabledIsLeftOut() {
        assertThat(Chart.render(Map.of())).filteredOn(Service.class::isInstance).hasSize(2);
        assertThat(Chart.render(Map.of("metrics", Map.of("service", Map.of("enabled", false)))))
                .filteredOn(Service.class::isInstance)
                .extracting(service -> service.getMetadata().getName())
                .containsExactly("demo-sample-operator-webhook");
    }

    @Test
    void valuesWhenUnknownOrWrongAreRefused() {
        assertThatThrownBy(() -> Chart.render(Map.of("replica", 2))).hasMessageContaining("replica");
        assertThatThrownBy(() -> Chart.render(Map.of("managementPort", 99999))).hasMessageContaining("managementPort");
    }

    private static List<PolicyRule> rulesFor(List<PolicyRule> rules, String resource) {
        return rules.stream()
                .filter(rule -> rule.getResources().contains(resource))
                .toList();
    }

    private static String properties(List<HasMetadata> objects) {
        return Chart.one(objects, ConfigMap.class).getData().get("application.properties");
    }
}
