package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.FieldSelector;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.EventForms;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which objects a list or watch is about: the label and field selectors of its query. Immutable. */
final class Selection implements Predicate<StoredObject> {
    private final ResourceType type;
    private final Predicate<Map<String, String>> labels;
    private final FieldSelector fields;
    private final boolean everything;
    private final boolean byNameOnly;

    private Selection(ResourceType type, Predicate<Map<String, String>> labels, FieldSelector fields, boolean all) {
        this.type = type;
        this.labels = labels;
        this.fields = fields;
        everything = all;
        byNameOnly = FieldLabels.needsOnlyName(fields.fields());
    }

    static Selection of(ResourceType type, Query query) {
        String labelText = query.first("labelSelector");
        String fieldText = query.first("fieldSelector");
        FieldSelector fields = FieldSelector.parse(fieldText);
        FieldLabels.check(type, fields.fields());
        boolean all = labelText.isBlank() && fields.terms().isEmpty();
        return new Selection(type, LabelSelector.parse(labelText), fields, all);
    }

    boolean isEverything() {
        return everything;
    }

    /** Return the only name that an object may have; empty when names do not matter. */
    String onlyName() {
        return fields.requiredValue("metadata.name").orElse("");
    }

    @Override
    public boolean test(StoredObject object) {
        if (everything) {
            return true;
        }
        if (!labels.test(object.labels())) {
            return false;
        }
        return fields.terms().isEmpty() || byNameOnly ? fields.matches(field -> place(object, field)) : deep(object);
    }

    private static String place(StoredObject object, String field) {
        return field.equals("metadata.name")
                ? object.name().name()
                : object.name().namespace();
    }

    private boolean deep(StoredObject object) {
        ObjectNode tree = object.tree();
        return fields.matches(field -> FieldLabels.value(type, tree, field));
    }

    /** Complains about an object name in the path that the selector contradicts. */
    void requireName(String name) {
        if (!name.isEmpty() && !onlyName().isEmpty() && !onlyName().equals(name)) {
            throw StatusException.badRequest("fieldSelector metadata.name doesn't match requested name");
        }
    }

    /** The selectable fields of kinds, and their values. */
    private static final class FieldLabels {
        private static final Set<String> COMMON = Set.of("metadata.name", "metadata.namespace");
        private static final Map<String, List<String>> BUILT_IN = Map.ofEntries(
                Map.entry(
                        "pods",
                        List.of(
                                "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork status.phase status.podIP status.podIPs status.nominatedNodeName"
                                        .split(" "))),
                Map.entry("nodes", List.of("spec.unschedulable".split(" "))),
                Map.entry("replicationcontrollers", List.of("status.replicas".split(" "))),
                Map.entry("replicasets.apps", List.of("status.replicas".split(" "))),
                Map.entry("jobs.batch", List.of("status.successful".split(" "))),
                Map.entry("namespaces", List.of("status.phase".split(" "))),
                Map.entry("secrets", List.of("type".split(" "))),
                Map.entry("services", List.of("spec.clusterIP spec.type".split(" "))),
                Map.entry("certificatesigningrequests.certificates.k8s.io", List.of("spec.signerName".split(" "))),
                Map.entry(
                        "events",
                        List.of(
                                "involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason reportingComponent source type"
                                        .split(" "))));

        private static final List<String> EVENTS = List.of(
                "regarding.kind regarding.namespace regarding.name regarding.uid regarding.apiVersion regarding.resourceVersion regarding.fieldPath reason reportingController type"
                        .split(" "));

        private FieldLabels() {}

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

        /** Return whether the name and namespace of an object determine the fields. */
        static boolean needsOnlyName(Set<String> fields) {
            return COMMON.containsAll(fields);
        }

        /** Return the value of a field as selectors see it, empty if it is missing. */
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
}
