package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import java.util.List;

/** Rules between the fields of roles and their bindings. Stateless. */
final class AccessRules {
    private AccessRules() {}

    /** Check a role; one of a namespace is about its objects only. */
    static void role(ObjectNode role, boolean isNamespaced, FieldErrors errors) {
        for (int i = 0; i < role.path("rules").size(); i++) {
            JsonNode rule = role.path("rules").path(i);
            String path = "rules[" + i + "].";
            boolean hasUrls = !rule.path("nonResourceURLs").isEmpty();
            boolean hasResources = !rule.path("apiGroups").isEmpty()
                    || !rule.path("resources").isEmpty()
                    || !rule.path("resourceNames").isEmpty();
            if (hasUrls && (isNamespaced || hasResources)) {
                errors.invalid(
                        path + "nonResourceURLs",
                        rule.path("nonResourceURLs"),
                        isNamespaced
                                ? "namespaced rules cannot apply to non-resource URLs"
                                : "rules cannot apply to both regular resources and non-resource URLs");
            } else if (!hasUrls) {
                for (String field : new String[] {"apiGroups", "resources"}) {
                    if (rule.path(field).isEmpty()) {
                        errors.required(path + field, "resource rules must supply at least one");
                    }
                }
            }
        }
        JsonNode aggregation = role.path("aggregationRule");
        if (aggregation.isObject() && aggregation.path("clusterRoleSelectors").isEmpty()) {
            errors.required("aggregationRule.clusterRoleSelectors", "at least one selector required");
        }
    }

    static void binding(ObjectNode binding, FieldErrors errors) {
        if (Json.text(binding, "kind").equals("ClusterRoleBinding")) {
            errors.oneOf("roleRef.kind", binding.at("/roleRef/kind"), "ClusterRole");
        }
        for (int i = 0; i < binding.path("subjects").size(); i++) {
            JsonNode subject = binding.path("subjects").path(i);
            String name = Json.text(subject, "name");
            boolean isAccount = Json.text(subject, "kind").equals("ServiceAccount");
            if (isAccount && !name.isEmpty()) {
                errors.invalid("subjects[" + i + "].name", name, Names.dnsSubdomain(name));
            }
            String group = isAccount ? "" : "rbac.authorization.k8s.io";
            boolean isKnown = isAccount || Json.text(subject, "kind").matches("User|Group");
            if (isKnown && !Json.text(subject, "apiGroup").equals(group)) {
                errors.notSupported("subjects[" + i + "].apiGroup", subject.path("apiGroup"), List.of(group));
            }
        }
    }
}
