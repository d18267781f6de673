package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.AdmissionRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Quantities;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The limits of the containers, pods and claims of a namespace, and the defaults of its containers. Stateless; thread-safe. */
final class LimitRanges {
    private static final ResourceId ID = new ResourceId("", "limitranges");

    private final VersionedStore store;

    LimitRanges(VersionedStore store) {
        this.store = store;
    }

    /** Return the ranges of a namespace, each with its limits. */
    private List<List<JsonNode>> in(String namespace) {
        return store.count(ID) == 0
                ? List.of()
                : store.list(ID, ListQuery.all(namespace)).items().stream()
                        .map(StoredObject::tree)
                        .map(range -> Json.items(range, "spec", "limits"))
                        .toList();
    }

    /** Fill in the resources of the containers of a new pod, and say so in an annotation. */
    void fill(String namespace, ObjectNode pod) {
        for (List<JsonNode> range : in(namespace)) {
            List<String> notes = new ArrayList<>();
            for (String field : List.of("containers", "initContainers")) {
                for (JsonNode container : Json.items(pod, "spec", field)) {
                    String whose = (field.equals("containers") ? "container " : "init container ")
                            + Json.text(container, "name");
                    ObjectNode resources = Json.child((ObjectNode) container, "resources");
                    fill(range, "defaultRequest", resources, "requests", " request for " + whose, notes);
                    fill(range, "default", resources, "limits", " limit for " + whose, notes);
                }
            }
            if (!notes.isEmpty()) {
                Json.child(Json.metadata(pod), "annotations")
                        .put("kubernetes.io/limit-ranger", "LimitRanger plugin set: " + String.join("; ", notes));
            }
        }
    }

    private static void fill(
            List<JsonNode> range, String from, ObjectNode resources, String to, String what, List<String> notes) {
        List<String> set = new ArrayList<>();
        for (JsonNode limit : range) {
            if (Json.text(limit, "type").equals("Container")) {
                Json.stringMap(limit, from).forEach((name, amount) -> {
                    if (!resources.path(to).has(name)) {
                        Json.child(resources, to).put(name, amount);
                        set.add(name);
                    }
                });
            }
        }
        if (!set.isEmpty()) {
            notes.add(String.join(", ", set) + what);
        }
    }

    /** Check a pod or a claim. */
    void check(AdmissionRequest request) {
        boolean isPod = request.type().is("", "pods");
        boolean isChecked = isPod
                ? request.subresource().equals(request.old() == null ? "" : "resize")
                : request.type().is("", "persistentvolumeclaims")
                        && request.subresource().isEmpty();
        if (!isChecked || Json.at(request.old(), "metadata", "deletionTimestamp") != null) {
            return;
        }
        JsonNode spec = Json.path(request.object(), "spec");
        for (List<JsonNode> range : in(request.namespace())) {
            List<String> errors = new ArrayList<>();
            for (JsonNode limit : range) {
                String type = Json.text(limit, "type");
                if (isPod && type.equals("Container")) {
                    PodResources.containers(spec).forEach(each -> check(limit, resources(each), errors));
                } else if (isPod && type.equals("Pod")) {
                    Map<String, String> requests = PodResources.total(spec, "requests");
                    check(limit, new Resources(requests, PodResources.total(spec, "limits")), errors);
                } else if (!isPod && type.equals("PersistentVolumeClaim")) {
                    Map<String, String> requests = Json.stringMap(spec, "resources", "requests");
                    check(limit, new Resources(requests, requests), errors);
                }
            }
            if (!errors.isEmpty()) {
                throw Plugins.forbidden(request, errors.size() == 1 ? errors.get(0) : errors.toString());
            }
        }
    }

    private record Resources(Map<String, String> requests, Map<String, String> limits) {}

    private static Resources resources(JsonNode container) {
        return new Resources(
                Json.stringMap(container, "resources", "requests"), Json.stringMap(container, "resources", "limits"));
    }

    private static void check(JsonNode limit, Resources has, List<String> errors) {
        String type = Json.text(limit, "type");
        Json.stringMap(limit, "min").forEach((name, least) -> {
            String request = has.requests().getOrDefault(name, "");
            if (request.isEmpty() || Quantities.compare(request, least) < 0) {
                errors.add("minimum " + name + " usage per " + type + " is " + least + but("request", request));
            } else if (Quantities.compare(has.limits().getOrDefault(name, least), least) < 0) {
                errors.add("minimum " + name + " usage per " + type + " is " + least
                        + but("limit", has.limits().getOrDefault(name, "")));
            }
        });
        Json.stringMap(limit, "max").forEach((name, most) -> {
            String bound = has.limits().getOrDefault(name, "");
            if (bound.isEmpty() || Quantities.compare(bound, most) > 0) {
                errors.add("maximum " + name + " usage per " + type + " is " + most + but("limit", bound));
            } else if (Quantities.compare(has.requests().getOrDefault(name, "0"), most) > 0) {
                errors.add("maximum " + name + " usage per " + type + " is " + most
                        + but("request", has.requests().getOrDefault(name, "")));
            }
        });
        Json.stringMap(limit, "maxLimitRequestRatio").forEach((name, ratio) -> {
            BigDecimal request = Quantities.number(has.requests().getOrDefault(name, "0"));
            BigDecimal bound = Quantities.number(has.limits().getOrDefault(name, "0"));
            boolean isMissing = request.signum() == 0 || bound.signum() == 0;
            if (isMissing || bound.compareTo(request.multiply(Quantities.number(ratio))) > 0) {
                errors.add(name + " max limit to request ratio per " + type + " is " + ratio);
            }
        });
    }

    private static String but(String what, String amount) {
        return amount.isEmpty() ? ".  No " + what + " is specified" : ", but " + what + " is " + amount;
    }
}
