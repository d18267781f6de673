package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Disruption budgets, quotas and claims of volumes: how much of something. */
final class LimitRules {
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "services",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final Set<String> MEASURED = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");
    private static final Set<String> SCOPES = Set.of(
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "PriorityClass",
            "CrossNamespacePodAffinity",
            "VolumeAttributesClass");

    private LimitRules() {}

    static void budget(JsonNode spec, FieldRules rules) {
        JsonNode least = spec.path("minAvailable");
        JsonNode most = spec.path("maxUnavailable");
        if (FieldRules.isSet(least) && FieldRules.isSet(most)) {
            String selector = spec.has("selector") ? Trees.canonical(spec.path("selector")) : "null";
            rules.add(new FieldError(
                    "spec",
                    "FieldValueInvalid",
                    "Invalid value: {\"MinAvailable\":" + Trees.canonical(least) + ",\"Selector\":" + selector
                            + ",\"MaxUnavailable\":" + Trees.canonical(most)
                            + ",\"UnhealthyPodEvictionPolicy\":null}: minAvailable and maxUnavailable cannot be both"
                            + " set"));
        }
        rules.share("spec.minAvailable", least);
        rules.share("spec.maxUnavailable", most);
        rules.selector("spec.selector", spec.path("selector"));
        rules.oneOf(
                "spec.unhealthyPodEvictionPolicy",
                spec.path("unhealthyPodEvictionPolicy"),
                "AlwaysAllow",
                "IfHealthyBudget");
    }

    static void quota(JsonNode spec, FieldRules rules) {
        spec.path("hard").properties().forEach(limit -> {
            String at = "spec.hard[" + limit.getKey() + "]";
            String name = limit.getKey();
            if (!name.contains("/") && !COUNTED.contains(name) && !MEASURED.contains(name)) {
                rules.invalid(at, name, "must be a standard resource type or fully qualified");
                rules.invalid(at, name, "must be a standard resource for quota");
            }
            if (FieldRules.amount(limit.getValue()).signum() < 0) {
                rules.invalid(at, limit.getValue(), "must be greater than or equal to 0");
            } else if (COUNTED.contains(name)
                    && FieldRules.amount(limit.getValue()).stripTrailingZeros().scale() > 0) {
                rules.invalid(at, limit.getValue(), "must be an integer");
            }
        });
        List<String> scopes = new ArrayList<>();
        spec.path("scopes").forEach(scope -> scopes.add(scope.asText()));
        if (!SCOPES.containsAll(scopes)) {
            rules.invalid("spec.scopes", spec.path("scopes"), "unsupported scope");
        }
        if (scopes.containsAll(List.of("Terminating", "NotTerminating"))
                || scopes.containsAll(List.of("BestEffort", "NotBestEffort"))) {
            rules.invalid("spec.scopes", spec.path("scopes"), "conflicting scopes");
        }
    }

    static void claim(JsonNode spec, FieldRules rules) {
        JsonNode modes = spec.path("accessModes");
        boolean alone = false;
        for (JsonNode mode : modes) {
            alone |= mode.asText().equals("ReadWriteOncePod");
            rules.oneOf("spec.accessModes", mode, "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
        }
        if (alone && modes.size() > 1) {
            rules.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes");
        }
        JsonNode storage = spec.path("resources").path("requests").path("storage");
        if (!FieldRules.isSet(storage)) {
            rules.required("spec.resources[storage]", "");
        } else if (FieldRules.amount(storage).signum() <= 0) {
            rules.invalid("spec.resources[storage]", storage, "must be greater than zero");
        }
        rules.oneOf("spec.volumeMode", spec.path("volumeMode"), "Block", "Filesystem");
    }
}
