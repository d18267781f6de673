package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.rbac.PolicyRules;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Roles and bindings as trees. */
final class RoleTrees {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private RoleTrees() {}

    /** Returns a role and its binding to an account; without a namespace they are of the cluster. */
    static List<Map<String, Object>> role(
            String name, Account account, String ending, String namespace, List<Right> rights) {
        String suffix = account.suffix() + ending;
        String kind = namespace.isEmpty() ? "ClusterRole" : "Role";
        Map<String, Object> role = object(kind, metadata(name, suffix, namespace));
        role.put("rules", PolicyRules.of(rights));
        Map<String, Object> binding = object(kind + "Binding", metadata(name, suffix, namespace));
        binding.put("roleRef", Map.of("apiGroup", GROUP, "kind", kind, "name", name + suffix));
        binding.put(
                "subjects",
                List.of(Map.of(
                        "kind",
                        "ServiceAccount",
                        "name",
                        account.isOperator() ? name : account.name(),
                        "namespace",
                        account.namespace().isEmpty() ? name : account.namespace())));
        return List.of(sorted(role), sorted(binding));
    }

    static Map<String, Object> userRole(String name, Map<String, Object> definition, UserRole role) {
        Map<String, Object> metadata = metadata(name, "-" + UserRole.plural(definition) + "-" + role.id(), "");
        metadata.put("labels", Map.of("app.kubernetes.io/name", name, GROUP + "/aggregate-to-" + role.id(), "true"));
        Map<String, Object> tree = object("ClusterRole", metadata);
        tree.put("rules", Yaml.readValue(role.rules(definition), "rules"));
        return sorted(tree);
    }

    private static Map<String, Object> object(String kind, Map<String, Object> metadata) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", GROUP + "/v1");
        object.put("kind", kind);
        object.put("metadata", metadata);
        return object;
    }

    private static Map<String, Object> metadata(String name, String suffix, String namespace) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name + suffix);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.put("labels", Map.of("app.kubernetes.io/name", name));
        return metadata;
    }

    /** Small maps are made in no order. */
    private static Map<String, Object> sorted(Map<String, Object> tree) {
        tree.replaceAll((key, value) -> key.equals("rules") ? value : Sorted.copy(value));
        return tree;
    }

    /** Copies with keys by name, and names first. */
    private static final class Sorted {

        static Object copy(Object node) {
            if (node instanceof Map<?, ?> map) {
                Map<String, Object> copy = new java.util.TreeMap<>();
                map.forEach((key, value) -> copy.put(String.valueOf(key), copy(value)));
                Map<String, Object> result = new LinkedHashMap<>();
                for (String first : List.of("kind", "name", "namespace")) {
                    if (copy.containsKey(first)) {
                        result.put(first, copy.remove(first));
                    }
                }
                result.putAll(copy);
                return result;
            }
            return node instanceof List<?> list
                    ? list.stream().map(Sorted::copy).toList()
                    : node;
        }
    }
}
