package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads and writes objects for the simulators. A resource is a plural, with its group after a dot if it has one. */
final class SimulatedObjects {
    static final String PODS = "pods";
    static final String SERVICES = "services";
    static final String CLAIMS = "persistentvolumeclaims";
    static final String DEPLOYMENTS = "deployments.apps";
    static final String REPLICA_SETS = "replicasets.apps";
    static final String STATEFUL_SETS = "statefulsets.apps";
    static final String JOBS = "jobs.batch";
    static final String SLICES = "endpointslices.discovery.k8s.io";

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final WriteContext CONTEXT = WriteContext.internal("simulator");

    private final ObjectAccess access;

    SimulatedObjects(ObjectAccess access) {
        this.access = access;
    }

    String now() {
        return Times.text(access.now());
    }

    /** Return an object, or null if it does not exist or is being deleted. */
    @Nullable
    ObjectNode find(String resource, ObjectName name) {
        ObjectNode object = access.find(type(resource), name);
        return object == null || isDeleted(object) ? null : object;
    }

    private static boolean isDeleted(ObjectNode object) {
        return Json.at(object, "metadata", "deletionTimestamp") != null;
    }

    /** Return the objects in the namespace of an owner that the owner controls, except those being deleted. */
    List<ObjectNode> ownedBy(ObjectNode owner, String resource) {
        String uid = Json.text(owner, "metadata", "uid");
        return list(resource, Json.text(owner, "metadata", "namespace"), labels -> true).stream()
                .filter(object -> Json.items(object, "metadata", "ownerReferences").stream()
                        .anyMatch(reference -> uid.equals(Json.text(reference, "uid"))))
                .toList();
    }

    /** Return the objects in a namespace whose labels match, except those being deleted. */
    List<ObjectNode> list(String resource, String namespace, Predicate<Map<String, String>> labels) {
        ListQuery query = new ListQuery(namespace, "", 0, object -> labels.test(object.labels()));
        return access.store().list(type(resource).id(), query).items().stream()
                .map(object -> object.tree())
                .filter(object -> !isDeleted(object))
                .toList();
    }

    List<ObjectNode> selectedPods(String namespace, JsonNode selector) {
        return list(PODS, namespace, LabelSelector.of(Json.object().set("matchLabels", selector)));
    }

    /** Create an object unless it exists or its namespace does not. */
    void create(String resource, ObjectNode object) {
        ignoring(
                List.of(CONFLICT, NOT_FOUND, FORBIDDEN),
                () -> access.create(type(resource), Json.text(object, "metadata", "namespace"), object, CONTEXT));
    }

    void updateStatus(String resource, ObjectName name, Consumer<ObjectNode> change) {
        update(resource, name, "status", object -> change.accept(Json.child(object, "status")));
    }

    /** Change an object, but not its status. */
    void update(String resource, ObjectName name, Consumer<ObjectNode> change) {
        update(resource, name, "", change);
    }

    private void update(String resource, ObjectName name, String subresource, Consumer<ObjectNode> change) {
        ignoring(
                List.of(NOT_FOUND),
                () -> access.update(
                        type(resource),
                        name,
                        subresource,
                        object -> {
                            change.accept(object);
                            return object;
                        },
                        CONTEXT));
    }

    void delete(String resource, ObjectNode object) {
        DeleteOptions options = DeleteOptions.plain().of(Json.text(object, "metadata", "uid"));
        ignoring(List.of(NOT_FOUND, CONFLICT), () -> access.delete(type(resource), name(object), options, CONTEXT));
    }

    private static void ignoring(List<Integer> codes, Runnable write) {
        try {
            write.run();
        } catch (StatusException e) {
            if (!codes.contains(e.code())) {
                throw e;
            }
        }
    }

    private ResourceType type(String resource) {
        int dot = resource.indexOf('.');
        String plural = dot < 0 ? resource : resource.substring(0, dot);
        String group = dot < 0 ? "" : resource.substring(dot + 1);
        return Objects.requireNonNull(access.registry().findAny(group, plural), resource);
    }

    static ObjectName name(ObjectNode object) {
        return new ObjectName(Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
    }

    /** Return a new object that an owner controls, in the namespace of the owner. */
    static ObjectNode owned(ObjectNode owner, String apiVersion, String kind, String name) {
        ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = Json.metadata(object).put("namespace", Json.text(owner, "metadata", "namespace"));
        metadata.put(name.endsWith("-") ? "generateName" : "name", name);
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", Json.text(owner, "apiVersion"))
                .put("kind", Json.text(owner, "kind"))
                .put("name", Json.text(owner, "metadata", "name"))
                .put("uid", Json.text(owner, "metadata", "uid"))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        return object;
    }

    /** Set a condition. Its time stays the same while its status does. */
    void condition(ObjectNode status, String type, boolean holds, String reason) {
        String value = holds ? "True" : "False";
        ObjectNode condition = null;
        for (JsonNode known : status.withArray("conditions")) {
            condition = Json.text(known, "type").equals(type) ? (ObjectNode) known : condition;
        }
        if (condition == null) {
            condition = status.withArray("conditions").addObject().put("type", type);
        }
        if (!Json.text(condition, "status").equals(value)) {
            condition.put("status", value).put("lastTransitionTime", now());
        }
        if (!reason.isEmpty()) {
            condition.put("reason", reason);
        }
    }

    static boolean isReady(ObjectNode pod) {
        return Json.items(pod, "status", "conditions").stream()
                .anyMatch(condition -> Json.text(condition, "type").equals("Ready")
                        && Json.text(condition, "status").equals("True"));
    }
}
