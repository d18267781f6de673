package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.ApplyRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.ServerSideApply;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps {@code managedFields}: who wrote which field last. Stateless; safe for use by multiple threads. */
final class FieldOwners {

    private FieldOwners() {}

    /** Maintains the owners of fields of objects that are not applied. */
    static ObjectNode track(
            ResourceType type,
            String subresource,
            @Nullable ObjectNode before,
            ObjectNode after,
            WriteContext context,
            Instant now) {
        ApplyRequest request = request(type, subresource, context, now);
        return (ObjectNode) ServerSideApply.update(before, after, request, type.typeSchema());
    }

    /** Return the object after an apply. */
    static ObjectNode apply(
            ResourceType type,
            String subresource,
            @Nullable ObjectNode live,
            ObjectNode applied,
            WriteContext context,
            Instant now) {
        ApplyRequest request = request(type, subresource, context, now);
        return (ObjectNode)
                ServerSideApply.apply(live, applied, request, type.typeSchema()).object();
    }

    private static ApplyRequest request(ResourceType type, String subresource, WriteContext context, Instant now) {
        WriteOptions options = context.options();
        ApplyRequest request =
                new ApplyRequest(options.manager(), options.force(), type.apiVersion(), subresource, now);
        return request.withResetFields(resetFields(type, subresource));
    }

    /** Return the fields that cannot be written, and so not be owned, through an endpoint. */
    private static List<List<String>> resetFields(ResourceType type, String subresource) {
        if (!type.hasStatus() || !subresource.isEmpty() && !subresource.equals("status")) {
            return List.of();
        }
        if (subresource.isEmpty()) {
            return List.of(List.of("status"));
        }
        if (type.custom() != null || type.plural().equals("customresourcedefinitions")) {
            return List.of(List.of("metadata"), List.of("spec"));
        }
        return type.is("apps", "deployments")
                ? List.of(List.of("spec"), List.of("metadata", "labels"))
                : List.of(List.of("spec"));
    }

    /** Return whether two states of an object differ in nothing but the times of {@code managedFields}. */
    static boolean sameButTimes(ObjectNode one, ObjectNode other) {
        return Json.same(withoutTimes(one), withoutTimes(other));
    }

    private static ObjectNode withoutTimes(ObjectNode object) {
        if (Json.items(object, "metadata", "managedFields").isEmpty()) {
            return object;
        }
        ObjectNode copy = object.deepCopy();
        for (JsonNode entry : Json.items(copy, "metadata", "managedFields")) {
            ((ObjectNode) entry).remove("time");
        }
        return copy;
    }
}
