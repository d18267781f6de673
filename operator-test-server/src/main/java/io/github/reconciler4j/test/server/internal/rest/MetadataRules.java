package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ResourceType.Trait;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Maintains and checks the fields of {@code metadata} that belong to the server. */
final class MetadataRules {
    private static final List<String> COLLECTIONS =
            List.of("labels", "annotations", "finalizers", "ownerReferences", "managedFields");

    private MetadataRules() {}

    /** Put the object into the namespace of the request, or complains that it names another. */
    static void settleNamespace(ResourceType type, ObjectNode object, String namespace) {
        ObjectNode metadata = Json.metadata(object);
        String own = Json.text(metadata, "namespace");
        String expected = type.namespaced() ? namespace : "";
        if (own.isEmpty() && !expected.isEmpty()) {
            metadata.put("namespace", expected);
        } else if (!own.equals(expected)) {
            throw StatusException.badRequest(
                    expected.isEmpty()
                            ? "the namespace of the provided object does not match the namespace sent on the request"
                            : "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    /** Take out what says nothing: empty lists and maps, and fields without a value. */
    static void tidy(ObjectNode object) {
        ObjectNode metadata = Json.metadata(object);
        metadata.properties().removeIf(field -> field.getValue().isNull());
        for (String name : COLLECTIONS) {
            JsonNode value = metadata.get(name);
            if (value != null && value.isContainerNode() && value.isEmpty()) {
                metadata.remove(name);
            }
        }
    }

    /** Take out what a new object cannot bring along. */
    static void wipe(ObjectNode object) {
        Json.metadata(object)
                .remove(List.of(
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds",
                        "selfLink",
                        "resourceVersion",
                        "uid",
                        "creationTimestamp"));
    }

    static void fillForCreate(ResourceType type, ObjectNode object, Instant now) {
        ObjectNode metadata = Json.metadata(object);
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("creationTimestamp", Times.text(now));
        if (tracksGeneration(type)) {
            metadata.put("generation", 1);
        }
    }

    static boolean tracksGeneration(ResourceType type) {
        return type.custom() != null || type.is(Trait.GENERATION);
    }

    /** Give a changed object the server's own fields of the stored one. */
    static void carryOver(ObjectNode object, ObjectNode before) {
        ObjectNode metadata = Json.metadata(object);
        ObjectNode old = Json.metadata(before);
        if (Json.text(metadata, "uid").isEmpty()) {
            Json.setOrRemove(metadata, "uid", old.get("uid"));
        }
        metadata.remove("selfLink");
        Json.setOrRemove(metadata, "creationTimestamp", old.get("creationTimestamp"));
        Json.setOrRemove(metadata, "generation", old.get("generation"));
        Json.setOrRemove(metadata, "deletionTimestamp", old.get("deletionTimestamp"));
        Json.setOrRemove(metadata, "deletionGracePeriodSeconds", old.get("deletionGracePeriodSeconds"));
    }

    /** Count one more change of the wish if anything but metadata and, where it has its own path, status differs. */
    static void bumpGeneration(ResourceType type, ObjectNode object, ObjectNode before) {
        if (!tracksGeneration(type) || sameWish(type, object, before)) {
            return;
        }
        ObjectNode metadata = Json.metadata(object);
        metadata.put("generation", Json.number(before, 0, "metadata", "generation") + 1);
    }

    private static boolean sameWish(ResourceType type, ObjectNode object, ObjectNode before) {
        JsonNode wish = wish(type, object);
        JsonNode old = wish(type, before);
        // a custom resource has 1.0 until it is stored, and 1 after that
        return (type.custom() == null ? Json.same(wish, old) : JsonValues.equal(wish, old))
                // rollouts copy the annotations of a deployment
                && (!type.is("apps", "deployments")
                        || Json.stringMap(object, "metadata", "annotations")
                                .equals(Json.stringMap(before, "metadata", "annotations")));
    }

    /** Apply compares by value: a number in another form is no change. */
    static void keepForms(ResourceType type, ObjectNode object, ObjectNode before) {
        ObjectNode old = wish(type, before);
        if (Json.same(wish(type, object), old)) {
            object.setAll(old);
        }
    }

    private static ObjectNode wish(ResourceType type, ObjectNode object) {
        ObjectNode wish = Json.object();
        object.properties().forEach(field -> {
            boolean aside = field.getKey().equals("metadata")
                    || field.getKey().equals("apiVersion")
                    || type.hasStatus() && field.getKey().equals("status");
            if (!aside) {
                wish.set(field.getKey(), field.getValue());
            }
        });
        return wish;
    }

    /** Mark the object as being deleted, now and without grace. */
    static void markDeleting(ObjectNode object, Instant now) {
        ObjectNode metadata = Json.metadata(object);
        String at = Json.text(metadata, "deletionTimestamp");
        if (at.isEmpty()) {
            bumpForDeletion(metadata);
        }
        if (at.isEmpty() || Instant.parse(at).isAfter(now)) {
            metadata.put("deletionTimestamp", Times.text(now));
        }
        metadata.put("deletionGracePeriodSeconds", 0);
    }

    /** Count the wish to be deleted as a change, for kinds that count at all. */
    static void bumpForDeletion(ObjectNode metadata) {
        long generation = Json.number(metadata, 0, "generation");
        if (generation > 0) {
            metadata.put("generation", generation + 1);
        }
    }
}
