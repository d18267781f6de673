package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;

/** Roles and their bindings. */
final class RoleRules {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private RoleRules() {}

    static void role(JsonNode role, boolean namespaced, FieldRules rules) {
        for (int i = 0; i < role.path("rules").size(); i++) {
            JsonNode rule = role.path("rules").path(i);
            String at = "rules[" + i + "]";
            JsonNode urls = rule.path("nonResourceURLs");
            if (urls.isEmpty()) {
                required(rule, at, "apiGroups", "api group", rules);
                required(rule, at, "resources", "resource", rules);
            } else if (namespaced) {
                rules.invalid(at + ".nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs");
            } else if (!rule.path("apiGroups").isEmpty()
                    || !rule.path("resources").isEmpty()
                    || !rule.path("resourceNames").isEmpty()) {
                rules.invalid(
                        at + ".nonResourceURLs",
                        urls,
                        "rules cannot apply to both regular resources and non-resource URLs");
            }
        }
        JsonNode aggregation = role.path("aggregationRule");
        if (aggregation.isObject() && aggregation.path("clusterRoleSelectors").isEmpty()) {
            rules.required(
                    "aggregationRule.clusterRoleSelectors",
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
    }

    private static void required(JsonNode rule, String path, String field, String word, FieldRules rules) {
        if (rule.path(field).isEmpty()) {
            rules.required(path + "." + field, "resource rules must supply at least one " + word);
        }
    }

    static void binding(JsonNode binding, boolean namespaced, FieldRules rules) {
        JsonNode kind = binding.path("roleRef").path("kind");
        if (namespaced) {
            rules.oneOf("roleRef.kind", kind, "Role", "ClusterRole");
        } else {
            rules.oneOf("roleRef.kind", kind, "ClusterRole");
        }
        for (int i = 0; i < binding.path("subjects").size(); i++) {
            JsonNode subject = binding.path("subjects").path(i);
            String at = "subjects[" + i + "]";
            if (!subject.path("kind").asText().equals("ServiceAccount")) {
                rules.oneOf(at + ".apiGroup", subject.path("apiGroup"), GROUP);
                continue;
            }
            rules.subdomain(at + ".name", subject.path("name"));
            if (!FieldRules.isSet(subject.path("namespace")) && !namespaced) {
                rules.required(at + ".namespace", "");
            }
        }
    }
}
