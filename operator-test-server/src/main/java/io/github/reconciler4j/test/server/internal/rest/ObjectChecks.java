package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
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

    private static void autoscaler(JsonNode spec, List<FieldError> errors) {
        boolean rests = spec.has("minReplicas") && spec.path("minReplicas").asLong() == 0;
        if (rests && Json.items(spec, "metrics").stream().noneMatch(ObjectChecks::isOutside)) {
            errors.add(FieldError.forbidden(
                    "spec.metrics",
                    "must specify at least one Object or External metric to support scaling to zero replicas"));
        }
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
                    "Invalid value: " + FieldError.quoted(version) + ": apiVersion must specify API group"));
        }
    }

    private static boolean isOutside(JsonNode metric) {
        return List.of("Object", "External").contains(metric.path("type").asText());
    }
}
