package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.EventForms;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** By which fields the objects of a kind can be selected, and what they are in an object. */
final class FieldLabels {
    private static final Set<String> COMMON = Set.of("metadata.name", "metadata.namespace");
    private static final Map<String, List<String>> BUILT_IN = Map.ofEntries(
            Map.entry(
                    "pods",
                    List.of(
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "spec.hostNetwork",
                            "status.phase",
                            "status.podIP",
                            "status.podIPs",
                            "status.nominatedNodeName")),
            Map.entry("nodes", List.of("spec.unschedulable")),
            Map.entry("replicationcontrollers", List.of("status.replicas")),
            Map.entry("replicasets.apps", List.of("status.replicas")),
            Map.entry("jobs.batch", List.of("status.successful")),
            Map.entry("namespaces", List.of("status.phase")),
            Map.entry("secrets", List.of("type")),
            Map.entry("services", List.of("spec.clusterIP", "spec.type")),
            Map.entry("certificatesigningrequests.certificates.k8s.io", List.of("spec.signerName")),
            Map.entry(
                    "events",
                    List.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "reason",
                            "reportingComponent",
                            "source",
                            "type")));

    private static final List<String> EVENTS = List.of(
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "regarding.apiVersion",
            "regarding.resourceVersion",
            "regarding.fieldPath",
            "reason",
            "reportingController",
            "type");

    private FieldLabels() {}

    /** Refuses fields by which the kind cannot be selected. */
    static void check(ResourceType type, Set<String> fields) {
        for (String field : fields) {
            if (!COMMON.contains(field) && !supported(type).contains(field)) {
                boolean plain = type.custom() == null && supported(type).isEmpty();
                throw StatusException.badRequest(
                        plain
                                ? FieldError.quoted(field)
                                        + " is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                                : "field label not supported: " + field);
            }
        }
    }

    private static List<String> supported(ResourceType type) {
        if (type.group().equals("events.k8s.io")) {
            return EVENTS;
        }
        if (type.custom() == null) {
            return BUILT_IN.getOrDefault(type.id().toString(), List.of());
        }
        return type.custom().selectableFields().stream()
                .map(path -> path.startsWith(".") ? path.substring(1) : path)
                .toList();
    }

    /** Whether the fields can be told from an object's place alone. */
    static boolean needsOnlyName(Set<String> fields) {
        return COMMON.containsAll(fields);
    }

    /** The value of a field as selectors see it; empty where there is none. */
    static String value(ResourceType type, ObjectNode object, String asked) {
        String field = type.group().equals("events.k8s.io") ? EventForms.coreField(asked) : asked;
        if (type.is("", "events") && field.equals("source")) {
            String component = Json.text(object, "source", "component");
            return component.isEmpty() ? Json.text(object, "reportingComponent") : component;
        }
        if (field.equals("status.successful")) {
            return Long.toString(Json.number(object, 0, "status", "succeeded"));
        }
        JsonNode value = Json.at(object, field.split("\\."));
        if (value == null) {
            return absent(field);
        }
        return value.isValueNode() ? value.asText() : "";
    }

    private static String absent(String field) {
        return switch (field) {
            case "spec.unschedulable", "spec.hostNetwork" -> "false";
            case "status.replicas" -> "0";
            default -> "";
        };
    }
}
