package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.ArrayList;
import java.util.List;

/** The claims that a StatefulSet makes for its pods cannot change; the error shows them as the server's memory has them. */
final class ClaimTemplates {
    private ClaimTemplates() {}

    static void check(ObjectNode object, ObjectNode before, List<FieldError> errors) {
        JsonNode templates = object.path("spec").path("volumeClaimTemplates");
        if (Json.same(templates, before.path("spec").path("volumeClaimTemplates"))) {
            return;
        }
        List<String> shown = new ArrayList<>();
        templates.forEach(template -> shown.add(shown(template)));
        String value = shown.isEmpty() ? "null" : "[" + String.join(",", shown) + "]";
        errors.add(new FieldError(
                "spec.volumeClaimTemplates", "FieldValueInvalid", "Invalid value: " + value + ": field is immutable"));
    }

    private static String shown(JsonNode template) {
        String metadata = Trees.canonical(template.path("metadata"));
        JsonNode spec = template.path("spec");
        JsonNode resources = spec.path("resources");
        return metadata.substring(0, metadata.length() - 1) + ",\"Spec\":{\"AccessModes\":" + json(spec, "accessModes")
                + ",\"Selector\":" + json(spec, "selector") + ",\"Resources\":{\"Limits\":" + json(resources, "limits")
                + ",\"Requests\":" + json(resources, "requests") + "},\"VolumeName\":"
                + FieldError.quoted(spec.path("volumeName").asText()) + ",\"StorageClassName\":"
                + json(spec, "storageClassName") + ",\"VolumeMode\":" + json(spec, "volumeMode")
                + ",\"DataSource\":" + json(spec, "dataSource") + ",\"DataSourceRef\":" + json(spec, "dataSourceRef")
                + ",\"VolumeAttributesClassName\":" + json(spec, "volumeAttributesClassName")
                + "},\"Status\":{\"Phase\":\"Pending\",\"AccessModes\":null,\"Capacity\":null,\"Conditions\":null,"
                + "\"AllocatedResources\":null,\"AllocatedResourceStatuses\":null,"
                + "\"CurrentVolumeAttributesClassName\":null,\"ModifyVolumeStatus\":null,\"HealthStatus\":null}}";
    }

    private static String json(JsonNode object, String field) {
        return object.hasNonNull(field) ? Trees.canonical(object.path(field)) : "null";
    }
}
