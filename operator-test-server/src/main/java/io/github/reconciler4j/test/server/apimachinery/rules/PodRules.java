package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Pods: what their containers ask for, and where they may run. Stateless.
 *
 * @since 0.1.0
 */
public final class PodRules {
    private static final Set<String> RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String EVERYTHING =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";

    private PodRules() {}

    /**
     * Checks the spec of a pod, or of the pods that something makes.
     *
     * @param path where the spec is
     * @param errors takes what is wrong
     */
    public static void check(JsonNode spec, String path, List<FieldError> errors) {
        FieldRules rules = new FieldRules(errors);
        Set<String> names = new HashSet<>();
        for (JsonNode container : spec.path("containers")) {
            names.add(container.path("name").asText());
        }
        for (int i = 0; i < spec.path("initContainers").size(); i++) {
            JsonNode name = spec.path("initContainers").path(i).path("name");
            if (!names.add(name.asText())) {
                rules.add(FieldError.duplicate(path + ".initContainers[" + i + "].name", name));
            }
        }
        for (String field : List.of("containers", "initContainers")) {
            for (int i = 0; i < spec.path(field).size(); i++) {
                container(spec.path(field).path(i), path + "." + field + "[" + i + "]", rules);
            }
        }
        volumes(spec.path("volumes"), path + ".volumes", rules);
        rules.labels(path + ".nodeSelector", spec.path("nodeSelector"));
        rules.subdomain(path + ".serviceAccountName", spec.path("serviceAccountName"));
        rules.label(path + ".hostname", spec.path("hostname"));
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber() && deadline.asLong() < 1) {
            rules.invalid(path + ".activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive");
        }
        for (int i = 0; i < spec.path("tolerations").size(); i++) {
            toleration(spec.path("tolerations").path(i), path + ".tolerations[" + i + "]", rules);
        }
    }

    private static void container(JsonNode container, String path, FieldRules rules) {
        String image = container.path("image").asText();
        if (!image.isEmpty() && !image.equals(image.trim())) {
            rules.invalid(path + ".image", container.path("image"), "must not have leading or trailing whitespace");
        }
        resources(container.path("resources"), path + ".resources", rules);
        for (int i = 0; i < container.path("env").size(); i++) {
            variable(container.path("env").path(i), path + ".env[" + i + "]", rules);
        }
        Set<String> mounts = new HashSet<>();
        for (int i = 0; i < container.path("volumeMounts").size(); i++) {
            JsonNode mount = container.path("volumeMounts").path(i).path("mountPath");
            if (FieldRules.isSet(mount) && !mounts.add(mount.asText())) {
                rules.invalid(path + ".volumeMounts[" + i + "].mountPath", mount, "must be unique");
            }
        }
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            probe(container.path(probe), probe, path + "." + probe, rules);
        }
    }

    private static void resources(JsonNode resources, String path, FieldRules rules) {
        for (String field : List.of("limits", "requests")) {
            resources.path(field).properties().forEach(one -> {
                String at = path + "." + field + "[" + one.getKey() + "]";
                String name = one.getKey();
                if (!name.contains("/") && !RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
                    rules.invalid(at, name, "must be a standard resource type or fully qualified");
                    rules.invalid(at, name, "must be a standard resource for containers");
                }
                if (FieldRules.amount(one.getValue()).signum() < 0) {
                    rules.invalid(at, one.getValue(), "must be greater than or equal to 0");
                }
            });
        }
        resources.path("requests").properties().forEach(request -> {
            JsonNode limit = resources.path("limits").path(request.getKey());
            boolean more = FieldRules.isSet(limit)
                    && FieldRules.amount(request.getValue()).compareTo(FieldRules.amount(limit)) > 0;
            if (more) {
                rules.invalid(
                        path + ".requests",
                        request.getValue(),
                        "must be less than or equal to " + request.getKey() + " limit of " + limit.asText());
            }
        });
    }

    private static void variable(JsonNode variable, String path, FieldRules rules) {
        JsonNode name = variable.path("name");
        if (name.asText().contains("=")) {
            rules.invalid(
                    path + ".name",
                    name,
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
        }
        JsonNode source = variable.path("valueFrom");
        if (!source.isObject()) {
            return;
        }
        if (source.isEmpty()) {
            rules.invalid(
                    path + ".valueFrom",
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (FieldRules.isSet(variable.path("value"))) {
            rules.invalid(path + ".valueFrom", "", "may not be specified when `value` is not empty");
        }
        JsonNode field = source.path("fieldRef").path("fieldPath");
        if (FieldRules.isSet(field) && !field.asText().matches("(metadata|spec|status)\\..+")) {
            rules.invalid(
                    path + ".valueFrom.fieldRef.fieldPath",
                    field,
                    "error converting fieldPath: field label not supported: " + field.asText());
        }
    }

    private static void volumes(JsonNode volumes, String path, FieldRules rules) {
        for (int i = 0; i < volumes.size(); i++) {
            List<String> sources = new ArrayList<>();
            volumes.path(i).fieldNames().forEachRemaining(sources::add);
            sources.remove("name");
            String at = path + "[" + i + "]";
            if (sources.contains("emptyDir") && sources.size() > 1) {
                sources.remove("emptyDir");
                sources.forEach(
                        source -> rules.forbidden(at + "." + source, "may not specify more than 1 volume type"));
            }
            JsonNode host = volumes.path(i).path("hostPath");
            if (host.isObject() && !FieldRules.isSet(host.path("path"))) {
                rules.required(at + ".hostPath.path", "");
            }
        }
    }

    private static void probe(JsonNode probe, String name, String path, FieldRules rules) {
        List<String> handlers = new ArrayList<>();
        for (String handler : List.of("exec", "httpGet", "tcpSocket", "grpc")) {
            if (probe.has(handler)) {
                handlers.add(handler);
            }
        }
        for (int i = 1; i < handlers.size(); i++) {
            rules.forbidden(path + "." + handlers.get(i), "may not specify more than 1 handler type");
        }
        if (handlers.size() == 1 && probe.path(handlers.get(0)).has("port")) {
            JsonNode port = probe.path(handlers.get(0)).path("port");
            rules.port(path + "." + handlers.get(0) + ".port", port.isNull() ? IntNode.valueOf(0) : port);
        }
        if (!name.equals("readinessProbe") && probe.path("successThreshold").asInt(1) > 1) {
            rules.invalid(path + ".successThreshold", probe.path("successThreshold"), "must be 1");
        }
    }

    private static void toleration(JsonNode toleration, String path, FieldRules rules) {
        JsonNode operator = toleration.path("operator");
        if (!FieldRules.isSet(toleration.path("key")) && !operator.asText().equals("Exists")) {
            rules.invalid(path + ".operator", operator, EVERYTHING);
        }
        rules.oneOf(path + ".operator", operator, "Equal", "Exists");
        rules.oneOf(path + ".effect", toleration.path("effect"), "NoSchedule", "PreferNoSchedule", "NoExecute");
    }
}
