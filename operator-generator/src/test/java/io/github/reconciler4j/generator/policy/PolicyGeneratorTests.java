package io.github.reconciler4j.generator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.KindClasses;
import io.github.reconciler4j.generator.operator.example.ExampleOperator;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.policy.MutationPolicy;
import io.github.reconciler4j.policy.ValidationPolicy;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class PolicyGeneratorTests {

    private static final KubernetesVersion NEWEST = KubernetesVersion.parse("1.37");

    /** The policies of the example, for the newest version of Kubernetes. */
    public static List<Map<String, Object>> example() {
        return new PolicyGenerator(NEWEST)
                .generate(KindClasses.annotated(
                                List.of(Path.of("target/test-classes")),
                                List.of(ValidationPolicy.class, MutationPolicy.class))
                        .stream()
                        .filter(type -> type.getName().startsWith(ExampleOperator.class.getName()))
                        .toList());
    }

    private static List<Map<String, Object>> generate(String version, Class<?>... types) {
        return new PolicyGenerator(KubernetesVersion.parse(version)).generate(List.of(types));
    }

    @Test
    void policyWhenOnAReconcilerIsForItsKind() {
        List<Map<String, Object>> objects = generate("1.30", PodReconciler.class);

        assertThat(objects)
                .extracting(object -> object.get("kind"))
                .containsExactly("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding");
        assertThat(Yaml.write(objects.get(0))).isEqualTo("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata:
                  name: reconciler4j-release-pod
                spec:
                  failurePolicy: Fail
                  matchConstraints:
                    matchPolicy: Equivalent
                    resourceRules:
                    - apiGroups:
                      - ""
                      apiVersions:
                      - v1
                      operations:
                      - CREATE
                      - UPDATE
                      resources:
                      - pods
                  validations:
                  - expression: object.spec.hostNetwork != true
                    message: must not use the network of the host
                    reason: Invalid
                """);
        assertThat(Yaml.write(objects.get(1)))
                .contains(
                        "policyName: reconciler4j-release-pod", "- kube-system", "- reconciler4j-namespace", "- Deny");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1.29 | PodReconciler | needs Kubernetes 1.30
                    1.35 | Mutation      | needs Kubernetes 1.36
                    1.33 | NewFunction   | calls 'sort', which Kubernetes has since 1.34, but the lowest version is 1.33
                    1.31 | TwoVariables  | calls 'all', which Kubernetes has since 1.32
                    1.30 | NamedFormat   | calls 'named', which Kubernetes has since 1.31
                    1.37 | Broken        | The expression of the ValidatingAdmissionPolicy 'pod' is invalid
                    1.37 | NoKind        | does not say which kind
                    1.37 | NoRules       | has no rules
                    1.37 | NoChange      | changes nothing
                    1.37 | BadVariable   | must have the form name = expression
                    1.37 | Twice         | two policies with the name 'pod'
                    """)
    void policyWhenItCannotWorkIsRefused(String version, String type, String message) throws Exception {
        Class<?> annotated = Class.forName(PolicyGeneratorTests.class.getName() + "$" + type);

        assertThatThrownBy(() -> generate(version, annotated))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining(message);
    }

    @Test
    void functionsWhenTheVersionHasThemAreAllowed() {
        assertThat(generate("1.34", NewFunction.class)).hasSize(2);
        assertThat(generate("1.32", TwoVariables.class)).hasSize(2);
        assertThat(generate("1.31", NamedFormat.class)).hasSize(2);
        assertThat(generate("1.36", Mutation.class)).hasSize(2);
    }

    @Test
    void versionWhenNotOneIsRefused() {
        assertThatThrownBy(() -> KubernetesVersion.parse("2")).hasMessageContaining("such as 1.34");
        assertThat(KubernetesVersion.parse("v1.37.0")).isEqualTo(NEWEST);
    }

    @ValidationPolicy(
            rules =
                    @ValidationPolicy.Rule(
                            value = "object.spec.hostNetwork != true",
                            message = "must not use the network of the host"))
    abstract static class PodReconciler implements ObjectReconciler<Pod> {
        @Override
        public Result reconcile(Pod pod, ReconcileContext context) {
            return Result.done();
        }
    }

    @MutationPolicy(kinds = Pod.class, jsonPatches = "[JSONPatch{op: 'add', path: '/spec/a', value: 1}]")
    interface Mutation {}

    @ValidationPolicy(kinds = Pod.class, rules = @ValidationPolicy.Rule("object.spec.containers.sort() == []"))
    interface NewFunction {}

    @ValidationPolicy(
            kinds = Pod.class,
            rules = @ValidationPolicy.Rule("object.metadata.labels.all(key, value, key != value)"))
    interface TwoVariables {}

    @ValidationPolicy(kinds = Pod.class, rules = @ValidationPolicy.Rule("!format.named('dns1123Label').hasValue()"))
    interface NamedFormat {}

    @ValidationPolicy(kinds = Pod.class, rules = @ValidationPolicy.Rule("object.spec ="))
    interface Broken {}

    @ValidationPolicy(rules = @ValidationPolicy.Rule("true"))
    interface NoKind {}

    @ValidationPolicy(
            kinds = Pod.class,
            rules = {})
    interface NoRules {}

    @MutationPolicy(kinds = Pod.class)
    interface NoChange {}

    @ValidationPolicy(kinds = Pod.class, variables = "a", rules = @ValidationPolicy.Rule("true"))
    interface BadVariable {}

    @ValidationPolicy(kinds = Pod.class, rules = @ValidationPolicy.Rule("true"))
    @ValidationPolicy(
            kinds = {Pod.class, Deployment.class},
            rules = @ValidationPolicy.Rule("true"))
    interface Twice {}
}
