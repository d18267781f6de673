package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.List;
import java.util.Map;

/** Fields of built-in kinds that cannot change. Stateless. */
final class ImmutableRules {
    private static final Map<String, List<String>> FIXED = Map.ofEntries(
            Map.entry("deployments.apps", List.of("spec.selector")),
            Map.entry("replicasets.apps", List.of("spec.selector")),
            Map.entry("daemonsets.apps", List.of("spec.selector")),
            Map.entry(
                    "statefulsets.apps",
                    List.of(
                            "spec.selector",
                            "spec.serviceName",
                            "spec.podManagementPolicy",
                            "spec.volumeClaimTemplates")),
            Map.entry("jobs.batch", List.of("spec.selector", "spec.completions", "spec.completionMode")),
            Map.entry("rolebindings.rbac.authorization.k8s.io", List.of("roleRef")),
            Map.entry("clusterrolebindings.rbac.authorization.k8s.io", List.of("roleRef")),
            Map.entry(
                    "storageclasses.storage.k8s.io",
                    List.of("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode")),
            Map.entry("secrets", List.of("type")),
            Map.entry("resourcequotas", List.of("spec.scopes")),
            Map.entry("ingressclasses.networking.k8s.io", List.of("spec.controller")));
    private static final List<String> POD_CHANGES =
            List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates");

    private ImmutableRules() {}

    static void check(String resource, ObjectNode object, ObjectNode before, FieldErrors errors) {
        for (String field : FIXED.getOrDefault(resource, List.of())) {
            JsonNode value = Json.path(object, field.split("\\."));
            if (!Json.same(value, Json.path(before, field.split("\\.")))) {
                errors.invalid(field, value, "field is immutable");
            }
        }
        switch (resource) {
            case "configmaps" -> data(object, before, List.of("data", "binaryData"), errors);
            case "secrets" -> data(object, before, List.of("data"), errors);
            case "persistentvolumeclaims" -> claim(object, before, errors);
            case "services" -> address(object, before, errors);
            case "pods" -> pod(object, before, errors);
            default -> {}
        }
    }

    private static void data(ObjectNode object, ObjectNode before, List<String> fields, FieldErrors errors) {
        if (!before.path("immutable").asBoolean()) {
            return;
        }
        String detail = "field is immutable when `immutable` is set";
        if (!object.path("immutable").asBoolean()) {
            errors.forbidden("immutable", detail);
        }
        for (String field : fields) {
            if (!object.path(field).equals(before.path(field))) {
                errors.forbidden(field, detail);
            }
        }
    }

    private static void claim(ObjectNode object, ObjectNode before, FieldErrors errors) {
        ObjectNode after = Json.child(object, "spec").deepCopy();
        ObjectNode old = Json.child(before, "spec").deepCopy();
        for (ObjectNode spec : List.of(after, old)) {
            spec.remove("volumeAttributesClassName");
            if (Json.text(before, "status", "phase").equals("Bound")) {
                spec.remove("resources");
            }
            if (Json.text(before, "spec", "volumeName").isEmpty()) {
                spec.remove("volumeName");
            }
        }
        if (!Json.same(after, old)) {
            errors.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims");
        }
    }

    private static void address(ObjectNode object, ObjectNode before, FieldErrors errors) {
        String old = Json.text(before, "spec", "clusterIP");
        boolean isExternalName = Json.text(object, "spec", "type").equals("ExternalName");
        if (!isExternalName && !old.isEmpty() && !old.equals(Json.text(object, "spec", "clusterIP"))) {
            errors.invalid("spec.clusterIPs[0]", object.at("/spec/clusterIPs"), "may not change once set");
        }
    }

    private static void pod(ObjectNode object, ObjectNode before, FieldErrors errors) {
        if (!Json.same(fixedPart(object), fixedPart(before))) {
            errors.forbidden(
                    "spec",
                    "pod updates may not change fields other than `spec.containers[*].image`,"
                            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
                            + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set"
                            + " to 1 if it was previously negative)");
        }
        JsonNode deadline = object.at("/spec/activeDeadlineSeconds");
        JsonNode oldDeadline = before.at("/spec/activeDeadlineSeconds");
        if (oldDeadline.isNumber() && !deadline.isNumber()) {
            errors.invalid(
                    "spec.activeDeadlineSeconds", deadline, "must not update from a positive integer to nil value");
        } else if (oldDeadline.isNumber() && deadline.asLong() > oldDeadline.asLong()) {
            errors.invalid("spec.activeDeadlineSeconds", deadline, "must be less than or equal to previous value");
        }
    }

    private static ObjectNode fixedPart(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec").deepCopy();
        spec.remove(POD_CHANGES);
        for (String field : List.of("containers", "initContainers")) {
            spec.path(field).forEach(container -> ((ObjectNode) container).remove("image"));
        }
        return spec;
    }
}
