package io.github.reconciler4j.generator.policy;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A policy and its binding as trees. */
final class PolicyTree {

    private static final String API_VERSION = "admissionregistration.k8s.io/v1";

    private final String kind;
    private final String name;
    private final KubernetesVersion version;
    private final Map<String, Object> spec = new LinkedHashMap<>();

    PolicyTree(String kind, String name, KubernetesVersion version) {
        this.kind = kind;
        this.name = name;
        this.version = version;
    }

    void require(KubernetesVersion needed) {
        if (version.isBefore(needed)) {
            throw new GeneratorException("The " + this + " needs Kubernetes " + needed + ", but the lowest version is "
                    + version + ": set 'minKubernetes', or write a webhook (R4J-717)");
        }
    }

    /** Returns an expression. */
    String checked(String expression) {
        CelLevel.check(expression, version, "the " + this);
        return expression;
    }

    void put(String field, Object value) {
        spec.put(field, value);
    }

    void match(
            List<KindInfo> kinds,
            String[] operations,
            String[] conditions,
            String[] variables,
            boolean ignoreFailures) {
        spec.put("failurePolicy", ignoreFailures ? "Ignore" : "Fail");
        List<Map<String, Object>> rules = new ArrayList<>();
        for (KindInfo one : kinds) {
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("apiGroups", List.of(one.kind().group()));
            rule.put("apiVersions", List.of(one.kind().version()));
            rule.put("operations", List.of(operations));
            rule.put("resources", List.of(one.plural()));
            rules.add(rule);
        }
        Map<String, Object> constraints = new LinkedHashMap<>();
        constraints.put("matchPolicy", "Equivalent");
        constraints.put("resourceRules", rules);
        spec.put("matchConstraints", constraints);
        addNamed("matchConditions", conditions);
        addNamed("variables", variables);
    }

    private void addNamed(String field, String[] texts) {
        List<Map<String, Object>> entries = new ArrayList<>();
        for (String text : texts) {
            String[] parts = text.split("=", 2);
            String entry = parts[0].strip();
            if (parts.length < 2 || !entry.matches("[A-Za-z_][-A-Za-z0-9_.]*")) {
                throw new GeneratorException("'" + text + "' in the " + this + " must have the form name = expression");
            }
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("name", entry);
            tree.put("expression", checked(parts[1].strip()));
            entries.add(tree);
        }
        if (!entries.isEmpty()) {
            spec.put(field, entries);
        }
    }

    Map<String, Object> policy() {
        return object(kind, spec);
    }

    /** Returns the binding. Kinds of Kubernetes itself are left alone where the operator and the control plane run. */
    Map<String, Object> binding(String field, List<String> values, List<KindInfo> kinds) {
        Map<String, Object> binding = new LinkedHashMap<>();
        binding.put("policyName", fullName());
        if (kinds.stream().anyMatch(one -> isOfKubernetes(one.kind().group()))) {
            Map<String, Object> expression = new LinkedHashMap<>();
            expression.put("key", "kubernetes.io/metadata.name");
            expression.put("operator", "NotIn");
            expression.put("values", List.of("kube-system", WebhookSnapshot.NAMESPACE));
            binding.put("matchResources", Map.of("namespaceSelector", Map.of("matchExpressions", List.of(expression))));
        }
        if (!values.isEmpty()) {
            binding.put(field, values);
        }
        return object(kind + "Binding", binding);
    }

    private Map<String, Object> object(String type, Map<String, Object> content) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", API_VERSION);
        object.put("kind", type);
        object.put("metadata", Map.of("name", fullName()));
        object.put("spec", content);
        return object;
    }

    private String fullName() {
        return WebhookSnapshot.NAME + "-" + name;
    }

    private static boolean isOfKubernetes(String group) {
        return !group.contains(".") || group.endsWith(".k8s.io");
    }

    @Override
    public String toString() {
        return kind + " '" + name + "'";
    }
}
