package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fields of built-in kinds that cannot change. Stateless. */
final class ImmutableRules {
    private static final Map<String, List<String>> FIXED = new HashMap<>();
    private static final List<String> POD_CHANGES =
            List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates");

    private static final List<String> VOLUME_CHANGES = List.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "nodeAffinity",
            "volumeAttributesClassName",
            "volumeMode");
    private static final List<String> JOB_CHANGES = List.of("nodeSelector", "tolerations", "schedulingGates");

    static {
        BuiltInTables.read(
                ImmutableRules.class,
                "immutable-fields.tsv",
                cells -> FIXED.put(cells[0], List.of(cells[1].split(","))));
    }

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
            case "jobs.batch" -> job(object, before, errors);
            case "persistentvolumes" -> {
                if (!Json.same(source(object), source(before))) {
                    errors.forbidden(
                            "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
                }
            }
            case "priorityclasses.scheduling.k8s.io" -> {
                if (object.path("value").asLong() != before.path("value").asLong()) {
                    errors.forbidden("value", "may not be changed in an update.");
                }
            }
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

    /** Return what a volume consists of. */
    private static ObjectNode source(ObjectNode volume) {
        ObjectNode spec = Json.child(volume, "spec").deepCopy();
        return spec.remove(VOLUME_CHANGES);
    }

    /** The template of a job that has not started can change where its pods run, and that of a suspended one how much they need. */
    private static void job(ObjectNode object, ObjectNode before, FieldErrors errors) {
        boolean isSuspended = before.at("/spec/suspend").asBoolean();
        boolean isWaiting = isSuspended && before.at("/status/startTime").isMissingNode();
        ObjectNode after = Json.child(Json.child(object, "spec"), "template").deepCopy();
        ObjectNode old = Json.child(Json.child(before, "spec"), "template").deepCopy();
        for (ObjectNode template : List.of(after, old)) {
            ObjectNode spec = Json.child(template, "spec");
            if (isSuspended) {
                spec.findParents("resources").forEach(container -> ((ObjectNode) container).remove("resources"));
            }
            if (isWaiting) {
                spec.remove(JOB_CHANGES);
                Json.child(template, "metadata").remove(List.of("labels", "annotations"));
                Json.child(spec, "affinity").remove("nodeAffinity");
            }
        }
        if (!Json.same(after, old)) {
            errors.invalid(isSuspended ? "spec.template.spec" : "spec.template", after, "field is immutable");
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
