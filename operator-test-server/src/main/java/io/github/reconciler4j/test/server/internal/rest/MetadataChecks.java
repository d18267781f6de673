package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks metadata: names, labels, annotations, finalizers and owner references. */
final class MetadataChecks {
    private static final int MAX_ANNOTATIONS = 256 * 1024;
    private static final Set<String> STANDARD_FINALIZERS =
            Set.of(Removal.FOREGROUND, Removal.ORPHAN, "kubernetes", "customresourcecleanup.apiextensions.k8s.io");
    private static final List<String> IMMUTABLE = List.of("name", "namespace", "uid");
    private static final String OWNERS = "metadata.ownerReferences";

    private MetadataChecks() {}

    /** Return the errors in the metadata of a new object. */
    static List<FieldError> ofNew(ResourceType type, ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        String name = Json.text(object, "metadata", "name");
        String prefix = Json.text(object, "metadata", "generateName");
        if (!prefix.isEmpty()) {
            name(type, Names.maskedPrefix(prefix), "metadata.generateName", errors);
        }
        if (name.isEmpty()) {
            errors.required("metadata.name", "name or generateName is required");
        } else {
            name(type, name, "metadata.name", errors);
        }
        common(type, object, errors);
        return errors;
    }

    private static void name(ResourceType type, String name, String field, FieldErrors errors) {
        List<String> problems = switch (type.id().toString()) {
            case "roles.rbac.authorization.k8s.io",
                    "rolebindings.rbac.authorization.k8s.io",
                    "clusterroles.rbac.authorization.k8s.io",
                    "clusterrolebindings.rbac.authorization.k8s.io" -> Names.pathSegment(name);
            case "namespaces", "services" -> Names.dnsLabel(name);
            default -> Names.dnsSubdomain(name);
        };
        problems.forEach(problem -> errors.invalid(field, name, problem));
    }

    /** Return the errors in the metadata of a changed object. */
    static List<FieldError> ofChanged(ResourceType type, ObjectNode object, ObjectNode before) {
        FieldErrors errors = new FieldErrors();
        common(type, object, errors);
        for (String field : IMMUTABLE) {
            String value = Json.text(object, "metadata", field);
            if (!value.equals(Json.text(before, "metadata", field))) {
                errors.invalid("metadata." + field, value, "field is immutable");
            }
        }
        List<String> added = new ArrayList<>(Json.texts(object, "metadata", "finalizers"));
        added.removeAll(Json.texts(before, "metadata", "finalizers"));
        if (Json.at(before, "metadata", "deletionTimestamp") != null && !added.isEmpty()) {
            errors.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new finalizers " + added);
        }
        return errors;
    }

    private static void common(ResourceType type, ObjectNode object, FieldErrors errors) {
        Json.stringMap(object, "metadata", "labels").forEach((key, value) -> {
            Names.labelKey(key).forEach(problem -> errors.invalid("metadata.labels", key, problem));
            Names.labelValue(value).forEach(problem -> errors.invalid("metadata.labels", value, problem));
        });
        annotations(Json.stringMap(object, "metadata", "annotations"), errors);
        owners(Json.items(object, "metadata", "ownerReferences"), errors);
        finalizers(type, Json.texts(object, "metadata", "finalizers"), errors);
    }

    private static void annotations(Map<String, String> annotations, FieldErrors errors) {
        long size = 0;
        for (Map.Entry<String, String> annotation : annotations.entrySet()) {
            String key = annotation.getKey();
            Names.labelKey(key.toLowerCase(Locale.ROOT))
                    .forEach(problem -> errors.invalid("metadata.annotations", key, problem));
            size += key.getBytes(StandardCharsets.UTF_8).length
                    + annotation.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_ANNOTATIONS) {
            errors.tooLong("metadata.annotations", MAX_ANNOTATIONS);
        }
    }

    private static void owners(List<JsonNode> owners, FieldErrors errors) {
        boolean hasController = false;
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.get(i);
            String place = OWNERS + "[" + i + "]";
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                if (Json.text(owner, field).isEmpty()) {
                    errors.required(place + "." + field, "must not be empty");
                }
            }
            if (Json.text(owner, "kind").equals("Event")
                    && Json.text(owner, "apiVersion").equals("v1")) {
                errors.invalid(place, owner, "/v1, Kind=Event is disallowed from being an owner");
            }
            if (owner.path("controller").asBoolean()) {
                if (hasController) {
                    errors.invalid(
                            OWNERS, Json.array().addAll(owners), "Only one reference can have Controller set to true");
                }
                hasController = true;
            }
        }
    }

    private static void finalizers(ResourceType type, List<String> finalizers, FieldErrors errors) {
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.get(i);
            Names.labelKey(finalizer).forEach(problem -> errors.invalid("metadata.finalizers", finalizer, problem));
            if (type.custom() == null && isUnqualified(finalizer)) {
                errors.invalid(
                        "metadata.finalizers[" + i + "]",
                        finalizer,
                        "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
        if (finalizers.containsAll(List.of(Removal.FOREGROUND, Removal.ORPHAN))) {
            errors.invalid(
                    "metadata.finalizers",
                    Json.strings(finalizers),
                    "finalizer " + Removal.ORPHAN + " and " + Removal.FOREGROUND + " cannot be both set");
        }
    }

    private static boolean isUnqualified(String finalizer) {
        return !finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer);
    }

    /** Warn about finalizers of custom resources that others could use by accident, and about fields of other objects. */
    static void warn(ResourceType type, ObjectNode object, @Nullable ObjectNode before, WriteContext context) {
        if (type.custom() == null) {
            KindRules.warn(type, object, before, context.warnings());
            return;
        }
        for (String finalizer : Json.texts(object, "metadata", "finalizers")) {
            if (isUnqualified(finalizer)) {
                context.warnings()
                        .accept("metadata.finalizers: " + TextNode.valueOf(finalizer) + ": prefer a domain-qualified"
                                + " finalizer name to avoid accidental conflicts with other finalizer writers");
            }
        }
    }
}
