package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Quantities;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules between the fields of pods, and of the objects that create pods. Stateless. */
final class PodRules {
    private static final Set<String> RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");
    private static final List<String> CONTAINERS = List.of("containers", "initContainers");
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final Map<String, String> SELECTING = Map.of(
            "deployments.apps", "deployment",
            "replicasets.apps", "deployment",
            "statefulsets.apps", "statefulset",
            "daemonsets.apps", "daemonset");

    private static final Pattern FIELD = Pattern.compile("metadata\\.(name|namespace|uid|labels.*|annotations.*)"
            + "|spec\\.(nodeName|restartPolicy|serviceAccountName|schedulerName|hostNetwork)"
            + "|status\\.(phase|podIPs?|hostIPs?|nominatedNodeName)");

    private PodRules() {}

    /** Check an object with a pod template, or a pod; {@code template} is the path of the template, empty for a pod. */
    static void check(String resource, ObjectNode object, String[] template, FieldErrors errors) {
        JsonNode holder = Json.path(object, template);
        JsonNode spec = holder.path("spec");
        String path = template.length == 0 ? "spec" : String.join(".", template) + ".spec";
        String kind = SELECTING.get(resource);
        JsonNode policy = spec.path("restartPolicy");
        if (resource.equals("replicationcontrollers")) {
            Map<String, String> selector = Json.stringMap(object, "spec", "selector");
            Map<String, String> labels = Json.stringMap(object, "spec", "template", "metadata", "labels");
            if (!labels.entrySet().containsAll(selector.entrySet())) {
                errors.invalid(path.replace(".spec", "") + ".metadata.labels", "", "`selector` does not match");
            }
            errors.oneOf(path + ".restartPolicy", policy, "Always");
        } else if (kind != null) {
            selector(object, kind, errors);
            errors.oneOf(path + ".restartPolicy", policy, "Always");
        } else if (!resource.endsWith(".batch")) {
            errors.oneOf(path + ".restartPolicy", policy, "Always", "OnFailure", "Never");
        } else if (!List.of("OnFailure", "Never").contains(policy.asText())) {
            errors.required(path + ".restartPolicy", "valid values: \"OnFailure\", \"Never\"");
        }
        Set<String> volumes = new HashSet<>();
        spec.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
        // pods of a StatefulSet get the claims that it makes from its templates as volumes
        object.path("spec")
                .path("volumeClaimTemplates")
                .forEach(claim -> volumes.add(Json.text(claim, "metadata", "name")));
        containers(spec, path, volumes, errors);
        initContainers(spec, path, errors);
        volumes(spec.path("volumes"), path + ".volumes", errors);
        tolerations(spec, path, errors);
    }

    private static void initContainers(JsonNode spec, String path, FieldErrors errors) {
        for (int i = 0; i < spec.path("initContainers").size(); i++) {
            JsonNode container = spec.path("initContainers").path(i);
            boolean isSidecar = container.path("restartPolicy").asText().equals("Always");
            for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
                if (!isSidecar && container.has(field)) {
                    String at = path + ".initContainers[" + i + "]." + field;
                    errors.forbidden(at, "may not be set for init containers without restartPolicy=Always");
                }
            }
        }
    }

    private static void tolerations(JsonNode spec, String path, FieldErrors errors) {
        for (int i = 0; i < spec.path("tolerations").size(); i++) {
            JsonNode toleration = spec.path("tolerations").path(i);
            JsonNode operator = toleration.path("operator");
            if (!FieldErrors.isSet(toleration.path("key")) && !operator.asText().equals("Exists")) {
                errors.invalid(
                        path + ".tolerations[" + i + "].operator", operator, "must be Exists when `key` is empty");
            } else if (operator.asText().equals("Exists") && FieldErrors.isSet(toleration.path("value"))) {
                errors.invalid(path + ".tolerations[" + i + "].operator", operator, "value must be empty");
            }
            String effect = toleration.path("effect").asText();
            if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
                errors.invalid(path + ".tolerations[" + i + "].effect", effect, "effect must be 'NoExecute'");
            }
        }
    }

    private static void selector(ObjectNode object, String kind, FieldErrors errors) {
        ObjectNode selector = Json.objectAt(object, "spec", "selector");
        if (selector != null && selector.isEmpty()) {
            errors.invalid("spec.selector", selector, "empty selector is invalid for " + kind);
            return;
        }
        boolean matches = selector != null
                && LabelSelector.of(selector).test(Json.stringMap(object, "spec", "template", "metadata", "labels"));
        if (!matches) {
            errors.invalid(
                    "spec.template.metadata.labels",
                    Json.path(object, "spec", "template", "metadata", "labels"),
                    "`selector` does not match template `labels`");
        }
    }

    private static void containers(JsonNode spec, String path, Set<String> volumes, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        spec.path("containers")
                .forEach(container -> names.add(container.path("name").asText()));
        for (int i = 0; i < spec.path("initContainers").size(); i++) {
            JsonNode name = spec.path("initContainers").path(i).path("name");
            if (!names.add(name.asText())) {
                errors.duplicate(path + ".initContainers[" + i + "].name", name);
            }
        }
        for (String field : CONTAINERS) {
            for (int i = 0; i < spec.path(field).size(); i++) {
                String at = path + "." + field + "[" + i + "]";
                container(spec.path(field).path(i), at, volumes, errors);
                JsonNode ports = spec.path(field).path(i).path("ports");
                for (int j = 0; j < ports.size() && spec.path("hostNetwork").asBoolean(); j++) {
                    JsonNode port = ports.path(j).path("hostPort");
                    if (port.asInt() != 0 && !port.equals(ports.path(j).path("containerPort"))) {
                        errors.invalid(at + ".ports[" + j + "].hostPort", port, "must match `containerPort`");
                    }
                }
            }
        }
    }

    private static void container(JsonNode container, String path, Set<String> volumes, FieldErrors errors) {
        JsonNode image = container.path("image");
        if (!image.asText().equals(image.asText().trim())) {
            errors.invalid(path + ".image", image, "must not have leading or trailing whitespace");
        }
        resources(container.path("resources"), path + ".resources", errors);
        for (int i = 0; i < container.path("env").size(); i++) {
            variable(container.path("env").path(i), path + ".env[" + i + "]", errors);
        }
        Set<String> mounted = new HashSet<>();
        for (int i = 0; i < container.path("volumeMounts").size(); i++) {
            JsonNode mount = container.path("volumeMounts").path(i);
            String at = path + ".volumeMounts[" + i + "]";
            if (!volumes.contains(mount.path("name").asText())) {
                errors.notFound(at + ".name", mount.path("name"));
            }
            if (FieldErrors.isSet(mount.path("mountPath"))
                    && !mounted.add(mount.path("mountPath").asText())) {
                errors.invalid(at + ".mountPath", mount.path("mountPath"), "must be unique");
            }
        }
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            probe(container.path(probe), probe, path + "." + probe, errors);
        }
    }

    private static void resources(JsonNode resources, String path, FieldErrors errors) {
        for (String field : List.of("limits", "requests")) {
            resources.path(field).properties().forEach(one -> {
                String at = path + "." + field + "[" + one.getKey() + "]";
                String name = one.getKey();
                if (!name.contains("/") && !RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
                    errors.invalid(at, name, "must be a standard resource for containers");
                }
                if (amount(one.getValue()).signum() < 0) {
                    errors.invalid(at, one.getValue(), "must be greater than or equal to 0");
                }
            });
        }
        resources.path("requests").properties().forEach(request -> {
            JsonNode limit = resources.path("limits").path(request.getKey());
            if (FieldErrors.isSet(limit) && amount(request.getValue()).compareTo(amount(limit)) > 0) {
                errors.invalid(
                        path + ".requests",
                        request.getValue(),
                        "must be less than or equal to " + request.getKey() + " limit of " + limit.asText());
            }
        });
    }

    static BigDecimal amount(JsonNode quantity) {
        return Quantities.value(quantity.asText()).orElse(BigDecimal.ZERO);
    }

    private static void variable(JsonNode variable, String path, FieldErrors errors) {
        if (variable.path("name").asText().contains("=")) {
            errors.invalid(path + ".name", variable.path("name"), "must not contain '='");
        }
        JsonNode source = variable.path("valueFrom");
        if (source.isObject() && source.isEmpty()) {
            errors.invalid(
                    path + ".valueFrom",
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (source.isObject() && FieldErrors.isSet(variable.path("value"))) {
            errors.invalid(path + ".valueFrom", "", "may not be specified when `value` is not empty");
        }
        JsonNode field = source.path("fieldRef").path("fieldPath");
        if (FieldErrors.isSet(field) && !FIELD.matcher(field.asText()).matches()) {
            errors.invalid(path + ".valueFrom.fieldRef.fieldPath", field, "field label not supported");
        }
    }

    private static void volumes(JsonNode volumes, String path, FieldErrors errors) {
        for (int i = 0; i < volumes.size(); i++) {
            List<String> sources = new ArrayList<>();
            volumes.path(i).fieldNames().forEachRemaining(sources::add);
            sources.remove("name");
            if (sources.remove("emptyDir")) {
                String at = path + "[" + i + "].";
                sources.forEach(source -> errors.forbidden(at + source, "may not specify more than 1 volume type"));
            }
        }
    }

    private static void probe(JsonNode probe, String name, String path, FieldErrors errors) {
        List<String> handlers = HANDLERS.stream().filter(probe::has).toList();
        if (probe.isObject() && handlers.isEmpty()) {
            errors.required(path, "must specify a handler type");
        }
        handlers.stream()
                .skip(1)
                .forEach(handler -> errors.forbidden(path + "." + handler, "may not specify more than 1 handler type"));
        if (!name.equals("readinessProbe") && probe.path("successThreshold").asInt(1) > 1) {
            errors.invalid(path + ".successThreshold", probe.path("successThreshold"), "must be 1");
        }
    }
}
