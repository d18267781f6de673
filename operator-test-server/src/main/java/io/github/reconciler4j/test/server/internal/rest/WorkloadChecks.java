package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.rules.PodRules;
import io.github.reconciler4j.test.server.apimachinery.selector.Selectors;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rules between the fields of pods and of what makes pods. */
final class WorkloadChecks {
    private static final Map<String, String> KEEPERS = Map.of(
            "deployments.apps", "deployment",
            "replicasets.apps", "deployment",
            "statefulsets.apps", "statefulset",
            "daemonsets.apps", "daemonset");

    private WorkloadChecks() {}

    static void check(ResourceType type, ObjectNode object, List<FieldError> errors) {
        String[] template = PodDefaults.template(type);
        if (template == null) {
            return;
        }
        JsonNode holder = Json.at(object, template);
        JsonNode spec = holder == null ? MissingNode.getInstance() : holder.path("spec");
        String path = template.length == 0 ? "spec" : String.join(".", template) + ".spec";
        String policy = spec.path("restartPolicy").asText();
        String kind = KEEPERS.get(type.id().toString());
        if (kind != null) {
            selector(object, kind, errors);
            if (!policy.equals("Always")) {
                errors.add(FieldError.notSupported(
                        path + ".restartPolicy", spec.path("restartPolicy"), List.of("Always")));
            }
        } else if (type.is("batch", "jobs") || type.is("batch", "cronjobs")) {
            if (!List.of("OnFailure", "Never").contains(policy)) {
                errors.add(FieldError.required(path + ".restartPolicy", "valid values: \"OnFailure\", \"Never\""));
            }
        } else if (!List.of("Always", "OnFailure", "Never").contains(policy)) {
            errors.add(FieldError.notSupported(
                    path + ".restartPolicy", spec.path("restartPolicy"), List.of("Always", "OnFailure", "Never")));
        }
        if (type.is("apps", "deployments")) {
            strategy(object.path("spec").path("strategy"), errors);
        }
        containers(spec, path, errors);
        PodRules.check(spec, path, errors);
    }

    private static void selector(ObjectNode object, String kind, List<FieldError> errors) {
        ObjectNode selector = Json.objectAt(object, "spec", "selector");
        ObjectNode labels = Json.objectAt(object, "spec", "template", "metadata", "labels");
        if (selector != null && selector.isEmpty()) {
            errors.add(FieldError.invalid("spec.selector", selector, "empty selector is invalid for " + kind));
            return;
        }
        boolean matches = selector != null
                && Selectors.fromObject(selector)
                        .test(Json.stringMap(object, "spec", "template", "metadata", "labels"));
        if (!matches) {
            String shown = labels == null ? "null" : Trees.canonical(labels);
            errors.add(new FieldError(
                    "spec.template.metadata.labels",
                    "FieldValueInvalid",
                    "Invalid value: " + shown + ": `selector` does not match template `labels`"));
        }
    }

    private static void strategy(JsonNode strategy, List<FieldError> errors) {
        String type = strategy.path("type").asText();
        if (!List.of("Recreate", "RollingUpdate").contains(type)) {
            errors.add(new FieldError(
                    "spec.strategy",
                    "FieldValueNotSupported",
                    "Unsupported value: {\"Type\":" + FieldError.quoted(type)
                            + ",\"RollingUpdate\":null}: supported values: \"Recreate\", \"RollingUpdate\""));
        } else if (type.equals("Recreate") && strategy.has("rollingUpdate")) {
            errors.add(FieldError.forbidden(
                    "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
        } else if (isZero(strategy, "maxSurge") && isZero(strategy, "maxUnavailable")) {
            errors.add(FieldError.invalid(
                    "spec.strategy.rollingUpdate.maxUnavailable",
                    strategy.path("rollingUpdate").path("maxUnavailable"),
                    "may not be 0 when `maxSurge` is 0"));
        }
    }

    private static boolean isZero(JsonNode strategy, String field) {
        return List.of("0", "0%")
                .contains(strategy.path("rollingUpdate").path(field).asText());
    }

    private static void containers(JsonNode spec, String path, List<FieldError> errors) {
        List<String> volumes = new ArrayList<>();
        spec.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
        for (String field : List.of("containers", "initContainers")) {
            for (int i = 0; i < spec.path(field).size(); i++) {
                JsonNode container = spec.path(field).path(i);
                String at = path + "." + field + "[" + i + "]";
                for (int j = 0; j < container.path("volumeMounts").size(); j++) {
                    String name =
                            container.path("volumeMounts").path(j).path("name").asText();
                    if (!volumes.contains(name)) {
                        errors.add(new FieldError(
                                at + ".volumeMounts[" + j + "].name",
                                "FieldValueNotFound",
                                "Not found: " + FieldError.quoted(name)));
                    }
                }
                for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
                    probe(container.path(probe), at + "." + probe, errors);
                }
            }
        }
    }

    private static void probe(JsonNode probe, String path, List<FieldError> errors) {
        boolean handled = probe.has("exec") || probe.has("httpGet") || probe.has("tcpSocket") || probe.has("grpc");
        if (probe.isObject() && !handled) {
            errors.add(FieldError.required(path, "must specify a handler type"));
        }
    }
}
