package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.List;

/**
 * Rules between the fields of built-in kinds other than those of their pods. Stateless.
 *
 * @since 0.1.0
 */
public final class ObjectRules {
    private ObjectRules() {}

    /**
     * Checks an object.
     *
     * @param resource its plural, with its group after a dot if it has one
     * @param errors takes what is wrong
     */
    public static void check(String resource, JsonNode object, List<FieldError> errors) {
        FieldRules rules = new FieldRules(errors);
        JsonNode spec = object.path("spec");
        switch (resource) {
            case "services" -> ServiceRules.check(spec, rules);
            case "configmaps" -> bothData(object, rules);
            case "resourcequotas" -> LimitRules.quota(spec, rules);
            case "persistentvolumeclaims" -> LimitRules.claim(spec, rules);
            case "poddisruptionbudgets.policy" -> LimitRules.budget(spec, rules);
            case "ingresses.networking.k8s.io" -> IngressRules.check(spec, rules);
            case "networkpolicies.networking.k8s.io" -> NetworkPolicyRules.check(spec, rules);
            case "roles.rbac.authorization.k8s.io" -> RoleRules.role(object, true, rules);
            case "clusterroles.rbac.authorization.k8s.io" -> RoleRules.role(object, false, rules);
            case "rolebindings.rbac.authorization.k8s.io" -> RoleRules.binding(object, true, rules);
            case "clusterrolebindings.rbac.authorization.k8s.io" -> RoleRules.binding(object, false, rules);
            case "deployments.apps" -> KeeperRules.deployment(spec, rules);
            case "statefulsets.apps" -> KeeperRules.statefulSet(spec, rules);
            case "daemonsets.apps" -> KeeperRules.daemonSet(spec, rules);
            case "cronjobs.batch" -> KeeperRules.cronJob(object, rules);
            default -> {}
        }
    }

    private static void bothData(JsonNode object, FieldRules rules) {
        object.path("binaryData").fieldNames().forEachRemaining(key -> {
            if (object.path("data").has(key)) {
                rules.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            }
        });
    }
}
