package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.AdmissionRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The admission plug-ins of every cluster that look at other objects: priorities, default classes, limit ranges and Pod Security. They apply
 * to the server's own writes, too. Stateless; safe for use by multiple threads.
 */
final class Plugins {
    private static final ResourceId PRIORITIES = new ResourceId("scheduling.k8s.io", "priorityclasses");
    private static final ResourceId STORAGE = new ResourceId("storage.k8s.io", "storageclasses");
    private static final ResourceId INGRESS = new ResourceId("networking.k8s.io", "ingressclasses");

    private final VersionedStore store;
    private final LimitRanges limits;
    private final PodSecurity security;

    Plugins(VersionedStore store) {
        this.store = store;
        limits = new LimitRanges(store);
        security = new PodSecurity(store);
    }

    static StatusException forbidden(AdmissionRequest request, String why) {
        return StatusException.forbidden(request.type().group(), request.type().plural(), request.shownName(), why);
    }

    /** Fill in the object of a request. */
    void mutate(AdmissionRequest request) {
        ObjectNode object = Objects.requireNonNull(request.object());
        if (!request.subresource().isEmpty()) {
            return;
        }
        ObjectNode before = request.old();
        switch (request.type().id().toString()) {
            case "pods" -> {
                if (before == null) {
                    limits.fill(request.namespace(), object);
                    prioritize(request, Json.child(object, "spec"));
                    tolerate(Json.child(object, "spec"));
                } else {
                    keepPriority(Json.child(object, "spec"), before.path("spec"));
                }
            }
            case "persistentvolumeclaims" -> {
                String annotation = "volume.beta.kubernetes.io/storage-class";
                if (before == null && !hasClass(object, "storageClassName", annotation)) {
                    setClass(object, "storageClassName", STORAGE, "storageclass.kubernetes.io/is-default-class");
                }
            }
            case "ingresses.networking.k8s.io" -> {
                if (before == null && !hasClass(object, "ingressClassName", "kubernetes.io/ingress.class")) {
                    setClass(object, "ingressClassName", INGRESS, "ingressclass.kubernetes.io/is-default-class");
                }
            }
            default -> {}
        }
    }

    private static boolean hasClass(ObjectNode object, String field, String annotation) {
        return Json.at(object, "spec", field) != null
                || Json.stringMap(object, "metadata", "annotations").containsKey(annotation);
    }

    /** Set the newest of the default classes, if there is one. */
    private void setClass(ObjectNode object, String field, ResourceId classes, String annotation) {
        all(classes)
                .filter(each ->
                        Json.text(each, "metadata", "annotations", annotation).equals("true"))
                .sorted(Comparator.comparing((JsonNode each) -> Json.text(each, "metadata", "creationTimestamp"))
                        .reversed()
                        .thenComparing(each -> Json.text(each, "metadata", "name")))
                .limit(1)
                .forEach(each -> Json.child(object, "spec").put(field, Json.text(each, "metadata", "name")));
    }

    private Stream<JsonNode> all(ResourceId id) {
        return store.list(id, ListQuery.all("")).items().stream().map(StoredObject::tree);
    }

    private @Nullable JsonNode defaultPriority() {
        return all(PRIORITIES)
                .filter(each -> each.path("globalDefault").asBoolean())
                .min(Comparator.comparingLong(each -> Json.number(each, 0, "value")))
                .orElse(null);
    }

    private void prioritize(AdmissionRequest request, ObjectNode spec) {
        String name = Json.text(spec, "priorityClassName");
        StoredObject named = store.get(PRIORITIES, new ObjectName("", name));
        if (named == null && !name.isEmpty()) {
            throw forbidden(request, "no PriorityClass with name " + name + " was found");
        }
        JsonNode priorityClass = named == null ? defaultPriority() : named.tree();
        if (priorityClass != null) {
            spec.put("priorityClassName", Json.text(priorityClass, "metadata", "name"));
        }
        long priority = Json.number(priorityClass, 0, "value");
        String policy = priorityClass == null ? "PreemptLowerPriority" : Json.text(priorityClass, "preemptionPolicy");
        String given = Json.text(spec, "preemptionPolicy");
        if (Json.number(spec, priority, "priority") != priority || !given.isEmpty() && !given.equals(policy)) {
            throw forbidden(
                    request,
                    "the priority and the preemptionPolicy of a pod must be those of its PriorityClass, " + priority
                            + " and " + policy);
        }
        spec.put("priority", priority).put("preemptionPolicy", policy);
    }

    private static void keepPriority(ObjectNode spec, JsonNode before) {
        for (String field : List.of("priority", "preemptionPolicy")) {
            if (!spec.has(field) && before.has(field)) {
                spec.set(field, before.get(field));
            }
        }
    }

    /** Let a pod bear a node that fails for a while. */
    private static void tolerate(ObjectNode spec) {
        for (String problem : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            boolean borne = Json.items(spec, "tolerations").stream().anyMatch(toleration -> bears(toleration, problem));
            if (!borne) {
                ObjectNode toleration = Json.object().put("key", problem).put("operator", "Exists");
                spec.withArray("tolerations")
                        .add(toleration.put("effect", "NoExecute").put("tolerationSeconds", 300));
            }
        }
    }

    private static boolean bears(JsonNode toleration, String problem) {
        String key = Json.text(toleration, "key");
        String effect = Json.text(toleration, "effect");
        return (key.isEmpty() || key.equals(problem)) && (effect.isEmpty() || effect.equals("NoExecute"));
    }

    /** Check an object, after it was filled in. */
    void validate(AdmissionRequest request) {
        limits.check(request);
        security.check(request);
        ObjectNode object = Objects.requireNonNull(request.object());
        if (request.type().id().equals(PRIORITIES)
                && object.path("globalDefault").asBoolean()) {
            JsonNode other = defaultPriority();
            String name = Json.text(other, "metadata", "name");
            if (other != null && !(request.old() != null && name.equals(Json.text(object, "metadata", "name")))) {
                throw forbidden(
                        request, "PriorityClass " + name + " is already marked as default. Only one default can exist");
            }
        }
    }
}
