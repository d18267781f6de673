package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInDecoder;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Decodes objects and handles unknown fields as the request asks: with an error, warnings or not at all. Stateless; safe
 * for use by multiple threads.
 */
final class FieldValidation {
    private FieldValidation() {}

    /** Decode the object of a create or update in place. */
    static void ofBody(Call call, ObjectNode object, WriteContext context) {
        ResourceType type = call.type();
        String prefix =
                type.kind() + " in version \"" + type.version() + "\" cannot be handled as a " + type.kind() + ": ";
        decode(type, object, context, problem -> StatusException.badRequest(prefix + problem));
    }

    static void ofPatched(Call call, ObjectNode object, WriteContext context) {
        String shown = object.toString();
        decode(
                call.type(),
                object,
                context,
                problem -> StatusException.invalid("", "", "", List.of(FieldError.invalid("patch", shown, problem))));
    }

    private static void decode(
            ResourceType type, ObjectNode object, WriteContext context, Function<String, StatusException> error) {
        List<String> problems;
        try {
            problems = decode(type, object).stream()
                    .map(path -> "unknown field " + TextNode.valueOf(path))
                    .toList();
        } catch (StatusException e) {
            throw error.apply(e.getMessage());
        }
        switch (context.options().validation()) {
            case "Ignore" -> {}
            case "Strict" -> {
                if (!problems.isEmpty()) {
                    throw error.apply("strict decoding error: " + String.join(", ", problems));
                }
            }
            default -> problems.forEach(context.warnings());
        }
    }

    /** Decode an object in place. Return the paths of its unknown fields. */
    static List<String> decode(ResourceType type, ObjectNode object) {
        if (type.custom() == null) {
            return BuiltInDecoder.get().decode(type.apiVersion(), type.kind(), object);
        }
        List<String> unknown = new ArrayList<>(BuiltInDecoder.get().decodeMetadata(object));
        CustomSchema schema = type.schema();
        if (schema != null) {
            unknown.addAll(schema.decode(object));
        }
        return unknown;
    }
}
