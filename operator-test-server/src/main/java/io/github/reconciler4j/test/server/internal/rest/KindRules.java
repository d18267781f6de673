package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.definition.DefinitionChecks;
import io.github.reconciler4j.test.server.internal.apimachinery.definition.PolicyChecks;
import io.github.reconciler4j.test.server.internal.apimachinery.definition.WebhookChecks;
import io.github.reconciler4j.test.server.internal.apimachinery.rules.BuiltInRules;
import io.github.reconciler4j.test.server.internal.apimachinery.rules.FieldWarnings;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInDecoder;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules of kinds for writes. Stateless; safe for use by multiple threads. */
final class KindRules {
    /** Decode a new object. The status of built-in kinds is ignored. */
    void decodeNew(ResourceType type, ObjectNode object, boolean applied) {
        boolean keepsStatus = type.custom() != null || type.is("", "nodes");
        if (type.hasStatus() && !keepsStatus) {
            object.remove("status");
        }
        decode(type, object, applied);
    }

    /** Remove the status of a new object, and add the fields that the server sets. */
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

    /**
     * Make the object what the server reads out of it: without what it does not know, and with defaults. An applied object of a
     * custom kind keeps nulls, even if its schema forbids them, which is an error then.
     */
    void decode(ResourceType type, ObjectNode object, boolean applied) {
        if (applied && type.custom() != null) {
            BuiltInDecoder.get().decodeMetadata(object);
            complete(type, object);
            return;
        }
        FieldValidation.decode(type, object);
        if (type.custom() == null) {
            BuiltInDefaults.complete(type, object);
        }
    }

    /** Complete an object that admission changed: with defaults; only built-in kinds lose unknown fields at once. */
    void complete(ResourceType type, ObjectNode object) {
        CustomSchema schema = type.schema();
        if (type.custom() == null) {
            decode(type, object, false);
        } else if (schema != null) {
            schema.structural().addDefaults(object);
        }
    }

    /** Return the object as it is when it was written and read again: custom kinds keep whole numbers without a fraction. */
    ObjectNode settled(ResourceType type, ObjectNode object) {
        CustomVersion version = type.custom();
        if (version != null && version.schema() != null) {
            version.schema().settle(object, version.conversion() != null);
        }
        return version == null ? object : (ObjectNode) JsonValues.stored(object);
    }

    private static void keepAllBut(ObjectNode object, ObjectNode before, boolean keepMetadata) {
        List<String> kept = List.of("status", "metadata");
        object.retain(kept).setAll(before.deepCopy().<ObjectNode>without(kept));
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
            if (type.group().equals("admissionregistration.k8s.io")) {
                errors.addAll(
                        type.plural().endsWith("webhookconfigurations")
                                ? WebhookChecks.check(object)
                                : PolicyChecks.check(object));
            }
            errors.addAll(BuiltInRules.check(type.id().toString(), object, before));
        } else if (subresource.equals("resize")
                && before != null
                && !BuiltInDefaults.qosClass(object).equals(BuiltInDefaults.qosClass(before))) {
            errors.invalid("spec", object.path("spec"), "Pod QOS Class may not change as a result of resizing");
        }
        return errors;
    }

    /** Warn about fields of an object of a built-in kind; {@code before} is null for a new object. */
    static void warn(ResourceType type, ObjectNode object, @Nullable ObjectNode before, Consumer<String> warnings) {
        if (type.is("apiextensions.k8s.io", "customresourcedefinitions")) {
            DefinitionChecks.warn(object, before, warnings);
        } else {
            FieldWarnings.warn(object, before, warnings);
        }
    }

    private static void replicas(ObjectNode object, String path, FieldErrors errors) {
        JsonNode value = Scales.at(object, path);
        if (value != null && value.isIntegralNumber() && value.longValue() != Math.max(0, value.intValue())) {
            errors.invalid(path, value, "must be from 0 to " + Integer.MAX_VALUE);
        }
    }
}
