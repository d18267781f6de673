package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may not change in objects of built-in kinds once they are there; see {@link ImmutableFields} for their data. */
final class ImmutableChecks {
    private static final Map<String, List<String>> FIXED = Map.of(
            "deployments.apps", List.of("spec.selector"),
            "replicasets.apps", List.of("spec.selector"),
            "daemonsets.apps", List.of("spec.selector"),
            "statefulsets.apps", List.of("spec.selector", "spec.serviceName", "spec.podManagementPolicy"),
            "jobs.batch", List.of("spec.selector", "spec.completions", "spec.completionMode"),
            "resourcequotas", List.of("spec.scopes"),
            "ingressclasses.networking.k8s.io", List.of("spec.controller"));
    private static final List<String> POD_CHANGES =
            List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates");

    private ImmutableChecks() {}

    static void check(String kind, ObjectNode object, ObjectNode before, List<FieldError> errors) {
        for (String field : FIXED.getOrDefault(kind, List.of())) {
            JsonNode value = at(object, field);
            if (!Json.same(value, at(before, field))) {
                errors.add(FieldError.invalid(field, value, "field is immutable"));
            }
        }
        switch (kind) {
            case "persistentvolumeclaims" -> claim(object, before, errors);
            case "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io" ->
                role(object.path("roleRef"), before.path("roleRef"), errors);
            case "statefulsets.apps" -> ClaimTemplates.check(object, before, errors);
            case "storageclasses.storage.k8s.io" -> storage(object, before, errors);
            case "priorityclasses.scheduling.k8s.io" -> {
                if (!Json.same(object.path("value"), before.path("value"))) {
                    errors.add(FieldError.forbidden("value", "may not be changed in an update."));
                }
            }
            case "services" -> address(object, before, errors);
            case "pods" -> pod(object, before, errors);
            default -> {}
        }
    }

    private static JsonNode at(ObjectNode object, String field) {
        JsonNode value = Json.at(object, field.split("\\."));
        return value == null ? NullNode.getInstance() : value;
    }

    private static void claim(ObjectNode object, ObjectNode before, List<FieldError> errors) {
        ObjectNode wanted = Json.child(object, "spec").deepCopy();
        ObjectNode old = Json.child(before, "spec").deepCopy();
        boolean bound = Json.text(before, "status", "phase").equals("Bound");
        for (ObjectNode spec : List.of(wanted, old)) {
            spec.remove("volumeAttributesClassName");
            if (bound) {
                spec.remove("resources");
            }
            if (Json.text(before, "spec", "volumeName").isEmpty()) {
                spec.remove("volumeName");
            }
        }
        if (!Json.same(wanted, old)) {
            errors.add(FieldError.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims"));
        }
    }

    private static void storage(ObjectNode object, ObjectNode before, List<FieldError> errors) {
        for (String field : List.of("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode")) {
            if (!Json.same(object.path(field), before.path(field))) {
                errors.add(FieldError.invalid(field, NullNode.getInstance(), "field is immutable"));
            }
        }
    }

    private static void role(JsonNode role, JsonNode before, List<FieldError> errors) {
        if (!Json.same(role, before)) {
            String shown = "{\"APIGroup\":" + text(role, "apiGroup") + ",\"Kind\":" + text(role, "kind") + ",\"Name\":"
                    + text(role, "name") + "}";
            errors.add(
                    new FieldError("roleRef", "FieldValueInvalid", "Invalid value: " + shown + ": field is immutable"));
        }
    }

    private static String text(JsonNode object, String field) {
        return FieldError.quoted(object.path(field).asText());
    }

    private static void address(ObjectNode object, ObjectNode before, List<FieldError> errors) {
        String old = Json.text(before, "spec", "clusterIP");
        String wanted = Json.text(object, "spec", "clusterIP");
        boolean named = Json.text(object, "spec", "type").equals("ExternalName");
        if (!named && !old.isEmpty() && !old.equals(wanted)) {
            errors.add(FieldError.invalid(
                    "spec.clusterIPs[0]", object.path("spec").path("clusterIPs"), "may not change once set"));
        }
    }

    private static void pod(ObjectNode object, ObjectNode before, List<FieldError> errors) {
        if (!Json.same(fixedPart(object), fixedPart(before))) {
            errors.add(FieldError.forbidden(
                    "spec",
                    "pod updates may not change fields other than"
                            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                            + "`spec.tolerations` (only additions to existing"
                            + " tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
                            + " previously negative)"));
        }
    }

    private static ObjectNode fixedPart(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec").deepCopy();
        spec.remove(POD_CHANGES);
        for (String field : List.of("containers", "initContainers")) {
            for (@Nullable JsonNode container : Json.items(spec, field)) {
                if (container instanceof ObjectNode object) {
                    object.remove("image");
                }
            }
        }
        return spec;
    }
}
