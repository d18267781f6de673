package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pods of chart, manifests and bundle in a namespace with Pod Security {@code restricted} and with policies that refuse what
 * OpenShift's SecurityContextConstraints {@code restricted-v2} refuses: ids outside the range of the namespace, above all.
 */
@RealKubernetesTest(components = KubernetesComponent.CONTROLLER_MANAGER)
class RestrictedPodsIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** OpenShift writes the range of ids that a namespace has into this annotation: the first one and their number. */
    private static final String RANGE = "openshift.io/sa.scc.uid-range";

    private static final String NAMESPACE = """
            apiVersion: v1
            kind: Namespace
            metadata:
              name: %s
              labels: {pod-security.kubernetes.io/enforce: restricted, scc: restricted-v2}
              annotations: {%s: 1000680000/10000}
            """;

    private static final List<String> RULES = List.of(
            "(!has(object.spec.securityContext) || !has(object.spec.securityContext.runAsUser) || "
                    + inRange("object.spec.securityContext.runAsUser") + ") && object.spec.containers.all(c,"
                    + " !has(c.securityContext) || !has(c.securityContext.runAsUser) || "
                    + inRange("c.securityContext.runAsUser") + ")",
            "!has(object.spec.securityContext) || !has(object.spec.securityContext.fsGroup) || "
                    + inRange("object.spec.securityContext.fsGroup"),
            "!has(object.spec.securityContext) || !has(object.spec.securityContext.supplementalGroups)",
            "!(has(object.spec.hostNetwork) && object.spec.hostNetwork) && !(has(object.spec.hostPID) &&"
                    + " object.spec.hostPID) && !(has(object.spec.hostIPC) && object.spec.hostIPC)",
            "!has(object.spec.volumes) || object.spec.volumes.all(v, has(v.configMap) || has(v.csi) || has(v.downwardAPI) ||"
                    + " has(v.emptyDir) || has(v.ephemeral) || has(v.persistentVolumeClaim) || has(v.projected) || has(v.secret))",
            "object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.allowPrivilegeEscalation)"
                    + " && !c.securityContext.allowPrivilegeEscalation)",
            "object.spec.containers.all(c, has(c.securityContext.capabilities) && has(c.securityContext.capabilities.drop)"
                    + " && 'ALL' in c.securityContext.capabilities.drop)",
            "object.spec.containers.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))");

    private final RealKubernetes kubernetes;
    private final KubernetesClient client;

    @TempDir
    private Path folder;

    private String namespace;

    RestrictedPodsIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.client =
                new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
    }

    private static String inRange(String id) {
        return "(" + id + " >= variables.first && " + id + " < variables.first + variables.count)";
    }

    @BeforeEach
    void restrict() {
        namespace = kubernetes.createNamespace("restricted");
        kubernetes.kubectlWithInput(NAMESPACE.formatted(namespace, RANGE), "apply", "-f", "-");
        kubernetes.kubectlWithInput(policy(), "apply", "-f", "-");
        // the API server notices the policy on its own
        Awaitility.await()
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThatThrownBy(() -> create(foreignUser()))
                        .hasMessageContaining("ValidatingAdmissionPolicy 'restricted-v2'"));
    }

    @AfterEach
    void release() {
        kubernetes.kubectlWithInput(policy(), "delete", "-f", "-");
        client.close();
    }

    private static String policy() {
        StringBuilder validations = new StringBuilder();
        RULES.forEach(rule ->
                validations.append("  - expression: ").append('"').append(rule).append("\"\n"));
        return """
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: restricted-v2}
                spec:
                  failurePolicy: Fail
                  matchConstraints:
                    resourceRules:
                    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
                  variables:
                  - {name: range, expression: "namespaceObject.metadata.annotations['%s'].split('/')"}
                  - {name: first, expression: "int(variables.range[0])"}
                  - {name: count, expression: "int(variables.range[1])"}
                  validations:
                %s---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: restricted-v2}
                spec:
                  policyName: restricted-v2
                  validationActions: [Deny]
                  matchResources: {namespaceSelector: {matchLabels: {scc: restricted-v2}}}
                """.formatted(RANGE, validations);
    }

    @Test
    void podsWhenOfChartManifestsKustomizeAndBundleAreAccepted() throws IOException {
        Outputs outputs = outputs();
        outputs.writeChart(folder.resolve("chart"));
        outputs.writeManifests(folder.resolve("manifests"));
        List<Map<String, Object>> specs = new ArrayList<>();
        specs.addAll(podSpecs(template("{}")));
        specs.addAll(podSpecs(template(
                "{podSecurityContext: {runAsUser: 1000680007, fsGroup: 1000680007}, sharding: {enabled: true}}")));
        specs.addAll(podSpecs(Files.readString(folder.resolve("manifests/install.yaml"))));
        specs.addAll(podSpecs(
                kubernetes.kubectl("kustomize", folder.resolve("manifests").toString())));
        specs.addAll(bundleSpecs());
        assertThat(specs).hasSizeGreaterThanOrEqualTo(5);

        for (Map<String, Object> spec : specs) {
            create(spec);
        }
    }

    @Test
    void idsWhenOutsideTheRangeOfTheNamespaceAreRefused() throws IOException {
        outputs().writeChart(folder.resolve("chart"));

        String rendered = template("{podSecurityContext: {runAsUser: 65532, fsGroup: 65532}}");

        assertThat(podSpecs(rendered))
                .isNotEmpty()
                .allSatisfy(spec -> assertThatThrownBy(() -> create(spec))
                        .hasMessageContaining("ValidatingAdmissionPolicy 'restricted-v2'"));
    }

    @Test
    void filesWhenGeneratedHaveNoIdOfAUserOrGroup() throws IOException {
        outputs().writeChart(folder.resolve("chart"));
        outputs().writeManifests(folder.resolve("manifests"));

        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContainPattern(Pattern.compile("(runAsUser|runAsGroup|fsGroup): *[0-9]"));
            }
        }
    }

    private static Outputs outputs() {
        return outputs(OperatorReaderTests.example());
    }

    private static Outputs outputs(OperatorDescription operator) {
        return new Outputs(
                operator, OutputOptions.defaults().withImage("example").withVersion("1.2.3"));
    }

    /** Returns what the bundle's Deployments would run. */
    private List<Map<String, Object>> bundleSpecs() throws IOException {
        OperatorDescription operator = BundleTests.example();
        outputs(operator).writeBundle(folder.resolve("bundle"));
        Path file = folder.resolve("bundle/manifests/" + operator.name() + ".clusterserviceversion.yaml");
        Map<String, Object> version =
                Yaml.readAll(Files.readString(file), "bundle").get(0);
        List<Map<String, Object>> specs = new ArrayList<>();
        for (Object deployment :
                (List<?>) at(at(at(version, "spec"), "install"), "spec").get("deployments")) {
            specs.add(at(at(at(deployment, "spec"), "template"), "spec"));
        }
        return specs;
    }

    private String template(String values) throws IOException {
        return new Helm(folder.resolve("chart"))
                .template()
                .withName("demo")
                .withNamespace(namespace)
                .withKubeVersion("1.37.2")
                .withValuesFile(Files.writeString(folder.resolve("values.yaml"), values))
                .call();
    }

    /** Returns what the Deployments and Jobs of a text would run. */
    private static List<Map<String, Object>> podSpecs(String text) {
        List<Map<String, Object>> specs = new ArrayList<>();
        for (Map<String, Object> object : Yaml.readAll(text, "output")) {
            if (List.of("Deployment", "Job").contains(String.valueOf(object.get("kind")))) {
                specs.add(at(at(at(object, "spec"), "template"), "spec"));
            }
        }
        return specs;
    }

    @SuppressWarnings("unchecked") // trees have strings as keys
    private static Map<String, Object> at(Object tree, String key) {
        return (Map<String, Object>) Objects.requireNonNull(((Map<String, Object>) tree).get(key), key);
    }

    /** Returns what Pod Security accepts and the policies do not: a user outside the range. */
    private static Map<String, Object> foreignUser() {
        Map<String, Object> container = Map.of(
                "name",
                "a",
                "image",
                "a",
                "securityContext",
                Map.of("allowPrivilegeEscalation", false, "capabilities", Map.of("drop", List.of("ALL"))));
        Map<String, Object> context =
                Map.of("runAsNonRoot", true, "runAsUser", 65532, "seccompProfile", Map.of("type", "RuntimeDefault"));
        return Map.of("containers", List.of(container), "securityContext", context);
    }

    /** Asks the API server whether it would create a pod; service accounts and images play no part. */
    private void create(Map<String, Object> spec) {
        Map<String, Object> changed = new LinkedHashMap<>(spec);
        changed.remove("serviceAccountName");
        changed.remove("priorityClassName");
        Map<String, Object> pod = Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Map.of("generateName", "operator-", "namespace", namespace),
                "spec",
                changed);
        kubernetes.kubectlWithInput(Yaml.write(pod), "create", "--dry-run=server", "-f", "-");
    }
}
