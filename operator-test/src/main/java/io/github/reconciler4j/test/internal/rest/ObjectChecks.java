package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.internal.json.Json;
import io.github.reconciler4j.test.tree.FieldError;
import io.github.reconciler4j.test.tree.GoFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules between the fields of built-in kinds other than those that make pods. */
final class ObjectChecks {
    private static final Map<String, List<String>> SECRET_DATA = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));

    private ObjectChecks() {}

    static void check(String kind, ObjectNode object, List<FieldError> errors) {
        switch (kind) {
            case "services" -> service(object.path("spec"), errors);
            case "secrets" -> secret(object, errors);
            case "ingresses.networking.k8s.io" -> {
                JsonNode spec = object.path("spec");
                if (!spec.has("defaultBackend") && spec.path("rules").isEmpty()) {
                    errors.add(new FieldError(
                            "spec",
                            "FieldValueInvalid",
                            "Invalid value: null: either `defaultBackend` or `rules` must be specified"));
                }
            }
            case "persistentvolumeclaims" -> {
                if (!object.path("spec").path("resources").path("requests").has("storage")) {
                    errors.add(FieldError.required("spec.resources[storage]", ""));
                }
            }
            case "roles.rbac.authorization.k8s.io", "clusterroles.rbac.authorization.k8s.io" -> rules(object, errors);
            case "rolebindings.rbac.authorization.k8s.io" -> roleKind(object, List.of("Role", "ClusterRole"), errors);
            case "clusterrolebindings.rbac.authorization.k8s.io" -> roleKind(object, List.of("ClusterRole"), errors);
            case "horizontalpodautoscalers.autoscaling" -> autoscaler(object.path("spec"), errors);
            default -> {}
        }
    }

    private static void service(JsonNode spec, List<FieldError> errors) {
        JsonNode ports = spec.path("ports");
        String type = spec.path("type").asText();
        boolean headless = spec.path("clusterIP").asText().equals("None");
        if (ports.isEmpty() && !headless && !type.equals("ExternalName")) {
            errors.add(FieldError.required("spec.ports", ""));
        }
        if (type.equals("ExternalName") && spec.path("externalName").asText().isEmpty()) {
            errors.add(FieldError.required("spec.externalName", ""));
        }
        if (type.equals("LoadBalancer") && headless) {
            errors.add(FieldError.invalid(
                    "spec.clusterIPs[0]", "None", "may not be set to 'None' for LoadBalancer services"));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.path(i);
            if (ports.size() > 1 && port.path("name").asText().isEmpty()) {
                errors.add(FieldError.required("spec.ports[" + i + "].name", ""));
            }
            ObjectNode key = Json.object();
            key.set("port", port.path("port"));
            key.set("protocol", port.path("protocol"));
            if (!seen.add(key.toString())) {
                errors.add(new FieldError(
                        "spec.ports[" + i + "]",
                        "FieldValueDuplicate",
                        "Duplicate value: {\"Name\":\"\",\"Protocol\":" + port.path("protocol")
                                + ",\"AppProtocol\":null,\"Port\":" + port.path("port")
                                + ",\"TargetPort\":0,\"NodePort\":0}"));
            }
        }
    }

    private static void secret(ObjectNode secret, List<FieldError> errors) {
        String type = Json.text(secret, "type");
        List<String> missing = new ArrayList<>();
        for (String key : SECRET_DATA.getOrDefault(type, List.of())) {
            if (!secret.path("data").has(key)) {
                missing.add(key);
            }
        }
        boolean named =
                secret.path("data").has("username") || secret.path("data").has("password");
        if (type.equals("kubernetes.io/basic-auth") && !named) {
            missing.addAll(List.of("username", "password"));
        }
        missing.forEach(key -> errors.add(FieldError.required("data[" + key + "]", "")));
        String account = "kubernetes.io/service-account.name";
        if (type.equals("kubernetes.io/service-account-token")
                && Json.text(secret, "metadata", "annotations", account).isEmpty()) {
            errors.add(FieldError.required("metadata.annotations[" + account + "]", ""));
        }
    }

    private static void rules(ObjectNode role, List<FieldError> errors) {
        List<JsonNode> rules = Json.items(role, "rules");
        for (int i = 0; i < rules.size(); i++) {
            if (Json.items(rules.get(i), "nonResourceURLs").isEmpty()) {
                required(rules.get(i), "apiGroups", "api group", i, errors);
                required(rules.get(i), "resources", "resource", i, errors);
            }
        }
    }

    private static void required(JsonNode rule, String field, String word, int index, List<FieldError> errors) {
        if (rule.path(field).isEmpty()) {
            errors.add(FieldError.required(
                    "rules[" + index + "]." + field, "resource rules must supply at least one " + word));
        }
    }

    private static void roleKind(ObjectNode binding, List<String> kinds, List<FieldError> errors) {
        String kind = Json.text(binding, "roleRef", "kind");
        if (!kinds.contains(kind)) {
            errors.add(FieldError.notSupported(
                    "roleRef.kind", binding.path("roleRef").path("kind"), kinds));
        }
    }

    private static void autoscaler(JsonNode spec, List<FieldError> errors) {
        long most = spec.path("maxReplicas").asLong();
        if (spec.path("minReplicas").asLong(1) > most) {
            errors.add(FieldError.invalid(
                    "spec.maxReplicas", spec.path("maxReplicas"), "must be greater than or equal to `minReplicas`"));
        }
        if (!spec.path("scaleTargetRef").path("apiVersion").asText().contains("/")) {
            String version = spec.path("scaleTargetRef").path("apiVersion").asText();
            errors.add(new FieldError(
                    "spec.scaleTargetRef.apiVersion",
                    "FieldValueInvalid",
                    "Invalid value: " + GoFormat.quoted(version) + ": apiVersion must specify API group"));
        }
    }
}
