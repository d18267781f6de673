package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads and writes objects of built-in kinds as instances of their classes. */
final class SimulatedObjects {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final WriteContext CONTEXT = WriteContext.internal("simulator");

    private final ObjectAccess access;

    SimulatedObjects(ObjectAccess access) {
        this.access = access;
    }

    ObjectAccess access() {
        return access;
    }

    /** The object, or null when there is none or it is being deleted. */
    <T extends HasMetadata> @Nullable T find(Class<T> type, ObjectName name) {
        ObjectNode tree = access.find(kind(type), name);
        return tree == null || Json.at(tree, "metadata", "deletionTimestamp") != null ? null : Json.as(tree, type);
    }

    /** The objects of a namespace whose controller is the owner, those being deleted left out. */
    <T extends HasMetadata> List<T> ownedBy(HasMetadata owner, Class<T> type) {
        String uid = owner.getMetadata().getUid();
        return all(type, owner.getMetadata().getNamespace(), Map.of()).stream()
                .filter(object -> object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(reference -> uid.equals(reference.getUid())))
                .toList();
    }

    /** The objects of a namespace that have the labels, those being deleted left out. */
    <T extends HasMetadata> List<T> all(Class<T> type, String namespace, Map<String, String> labels) {
        ListQuery query = new ListQuery(
                namespace, "", 0, object -> object.labels().entrySet().containsAll(labels.entrySet()));
        return access.store().list(kind(type).id(), query).items().stream()
                .map(object -> Json.as(object.tree(), type))
                .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** Creates the object unless it is there or its namespace is not. */
    void create(HasMetadata object) {
        ignoring(
                List.of(CONFLICT, NOT_FOUND, FORBIDDEN),
                () -> access.create(
                        kind(object.getClass()),
                        object.getMetadata().getNamespace(),
                        (ObjectNode) Json.tree(object),
                        CONTEXT));
    }

    /** Replaces the status with the change's, if that is another one. */
    <T extends HasMetadata> void updateStatus(Class<T> type, ObjectName name, UnaryOperator<T> change) {
        update(type, name, "status", change);
    }

    /** Changes the object without its status, if the change changes anything. */
    <T extends HasMetadata> void update(Class<T> type, ObjectName name, UnaryOperator<T> change) {
        update(type, name, "", change);
    }

    private <T extends HasMetadata> void update(
            Class<T> type, ObjectName name, String subresource, UnaryOperator<T> change) {
        ignoring(
                List.of(NOT_FOUND),
                () -> access.update(
                        kind(type),
                        name,
                        subresource,
                        tree -> (ObjectNode) Json.tree(change.apply(Json.as(tree, type))),
                        CONTEXT));
    }

    /** Changes the tree of an object, also of one that is being deleted. */
    void updateTree(Class<? extends HasMetadata> type, ObjectName name, UnaryOperator<ObjectNode> change) {
        ignoring(List.of(NOT_FOUND), () -> access.update(kind(type), name, "", change, CONTEXT));
    }

    void delete(HasMetadata object) {
        ignoring(
                List.of(NOT_FOUND, CONFLICT),
                () -> access.delete(
                        kind(object.getClass()),
                        name(object),
                        DeleteOptions.plain().of(object.getMetadata().getUid()),
                        CONTEXT));
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

    private ResourceType kind(Class<? extends HasMetadata> type) {
        String apiVersion = HasMetadata.getApiVersion(type);
        int slash = apiVersion.indexOf('/');
        ResourceType kind = access.registry()
                .find(
                        slash < 0 ? "" : apiVersion.substring(0, slash),
                        apiVersion.substring(slash + 1),
                        HasMetadata.getPlural(type));
        return Objects.requireNonNull(kind, apiVersion);
    }

    static ObjectName name(HasMetadata object) {
        return new ObjectName(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    static OwnerReference controller(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    static int number(@Nullable Integer value, int otherwise) {
        return value == null ? otherwise : value;
    }
}
