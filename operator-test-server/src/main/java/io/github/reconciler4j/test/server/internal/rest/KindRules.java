package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.definition.DefinitionChecks;
import io.github.reconciler4j.test.server.apimachinery.rules.BuiltInRules;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What differs from kind to kind around a write. Stateless; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class KindRules {
    /** Makes a new object what the server reads out of it; a status of its own is not looked at for built-in kinds. */
    void decodeNew(ResourceType type, ObjectNode object) {
        boolean keepsStatus = type.custom() != null || type.is("", "nodes");
        if (type.hasStatus() && !keepsStatus) {
            object.remove("status");
        }
        decode(type, object);
    }

    /** Makes the object what a new one may be: no status of its own, and what the server adds to new objects. */
    void prepareForCreate(ResourceType type, ObjectNode object) {
        if (type.custom() == null) {
            BuiltInDefaults.onCreate(type, object);
        } else if (type.hasStatus()) {
            object.remove("status");
        }
    }

    /** Undoes the changes that this path may not make, and counts those it may. */
    void prepareForUpdate(ResourceType type, String subresource, ObjectNode object, ObjectNode before) {
        switch (subresource) {
            case "" -> {
                if (type.hasStatus()) {
                    Json.setOrRemove(object, "status", before.get("status"));
                }
                if (type.custom() == null) {
                    BuiltInDefaults.onUpdate(type, object, before);
                }
                MetadataRules.bumpGeneration(type, object, before);
            }
            case "status" -> {
                keepAllBut(object, before, type.custom() != null);
                BuiltInDefaults.onStatus(type, object, before);
            }
            case "scale" -> MetadataRules.bumpGeneration(type, object, before);
            default -> {}
        }
    }

    /** Makes the object what the server reads out of it: without what it does not know, and with defaults. */
    void decode(ResourceType type, ObjectNode object) {
        FieldValidation.decode(type, object);
        if (type.custom() == null) {
            BuiltInDefaults.complete(type, object);
        }
    }

    /** The object as it is when it was written and read again: custom kinds keep whole numbers without a fraction. */
    ObjectNode settled(ResourceType type, ObjectNode object) {
        return type.custom() == null ? object : (ObjectNode) Trees.stored(object);
    }

    private static void keepAllBut(ObjectNode object, ObjectNode before, boolean keepMetadata) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (!name.equals("status") && !name.equals("metadata")) {
                object.remove(name);
            }
        }
        before.properties().forEach(field -> {
            if (!field.getKey().equals("status") && !field.getKey().equals("metadata")) {
                object.set(field.getKey(), field.getValue());
            }
        });
        if (keepMetadata) {
            JsonNode managed = Json.at(object, "metadata", "managedFields");
            ObjectNode metadata = Json.metadata(before).deepCopy();
            Json.setOrRemove(metadata, "managedFields", managed);
            object.set("metadata", metadata);
        }
    }

    /** Return the errors in an object beyond its metadata; {@code before} is null for a new object. */
    List<FieldError> check(ResourceType type, String subresource, ObjectNode object, @Nullable ObjectNode before) {
        CustomSchema schema = type.schema();
        FieldErrors errors = new FieldErrors();
        if (schema != null) {
            errors.addAll(schema.check(subresource, object, before));
            CustomVersion version = type.custom();
            if (version != null && version.scale() != null) {
                String part = subresource.equals("status") ? "statusReplicasPath" : "specReplicasPath";
                replicas(object, Json.text(version.scale(), part), errors);
            }
        } else if (subresource.isEmpty() && type.custom() == null) {
            if (type.is("apiextensions.k8s.io", "customresourcedefinitions")) {
                errors.addAll(DefinitionChecks.check(object, before));
            }
            errors.addAll(BuiltInRules.check(type.id().toString(), object, before));
        } else if (subresource.equals("resize")
                && before != null
                && !BuiltInDefaults.qosClass(object).equals(BuiltInDefaults.qosClass(before))) {
            errors.invalid("spec", object.path("spec"), "Pod QOS Class may not change as a result of resizing");
        }
        return errors;
    }

    private static void replicas(ObjectNode object, String path, FieldErrors errors) {
        JsonNode value = Scales.at(object, path);
        if (value != null && value.isIntegralNumber() && value.longValue() != Math.max(0, value.intValue())) {
            errors.invalid(path, value, "must be from 0 to " + Integer.MAX_VALUE);
        }
    }
}
