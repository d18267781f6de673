package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.internal.json.Json;
import io.github.reconciler4j.test.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Values that the server fills in for built-in kinds. */
final class BuiltInDefaults {
    private static final String CUSTOM_CLEANUP = "customresourcecleanup.apiextensions.k8s.io";
    private static final Set<String> EMPTY_STATUS = Set.of(
            "daemonsets",
            "deployments",
            "replicasets",
            "statefulsets",
            "replicationcontrollers",
            "jobs",
            "cronjobs",
            "nodes",
            "resourcequotas");

    private BuiltInDefaults() {}

    static void onCreate(ResourceType type, ObjectNode object) {
        switch (type.id().toString()) {
            case "namespaces" -> {
                Json.child(object, "spec").putArray("finalizers").add("kubernetes");
                Json.child(object, "status").put("phase", "Active");
            }
            case "pods", "persistentvolumes", "persistentvolumeclaims" ->
                Json.child(object, "status").put("phase", "Pending");
            case "services" -> Json.child(Json.child(object, "status"), "loadBalancer");
            case "customresourcedefinitions.apiextensions.k8s.io" -> definition(object);
            default -> {
                if (EMPTY_STATUS.contains(type.plural())) {
                    Json.child(object, "status");
                }
            }
        }
    }

    static void onUpdate(ResourceType type, ObjectNode object, ObjectNode before) {
        if (type.is("", "namespaces")) {
            Json.child(object, "spec")
                    .set("finalizers", Json.child(before, "spec").withArray("finalizers"));
        } else if (type.is("apiextensions.k8s.io", "customresourcedefinitions")) {
            definition(object);
        }
    }

    /** Adds the finalizers that the server itself wants for kinds that hold other objects. */
    static void onDelete(ResourceType type, ObjectNode object) {
        if (type.is("apiextensions.k8s.io", "customresourcedefinitions")
                && Json.at(object, "metadata", "deletionTimestamp") == null) {
            List<String> finalizers = new ArrayList<>(Json.texts(object, "metadata", "finalizers"));
            if (!finalizers.contains(CUSTOM_CLEANUP)) {
                finalizers.add(CUSTOM_CLEANUP);
            }
            Json.metadata(object).set("finalizers", Json.strings(finalizers));
        }
    }

    private static void definition(ObjectNode object) {
        ObjectNode spec = Json.child(object, "spec");
        ObjectNode names = Json.child(spec, "names");
        String kind = Json.text(names, "kind");
        if (Json.text(names, "singular").isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (Json.text(names, "listKind").isEmpty()) {
            names.put("listKind", kind + "List");
        }
        ObjectNode conversion = Json.child(spec, "conversion");
        if (Json.text(conversion, "strategy").isEmpty()) {
            conversion.put("strategy", "None");
        }
        ObjectNode status = Json.child(object, "status");
        List<String> stored = new ArrayList<>(Json.texts(status, "storedVersions"));
        for (JsonNode version : Json.items(spec, "versions")) {
            String name = Json.text(version, "name");
            if (version.path("storage").asBoolean() && !stored.contains(name)) {
                stored.add(name);
            }
        }
        status.set("storedVersions", Json.strings(stored));
    }
}
