package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.schema.BuiltInDecoder;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What becomes of fields that a request sends and the server does not know, or that it sends twice: an error, warnings or
 * nothing, as the request wishes. Stateless; safe for use by many threads.
 */
final class FieldValidation {
    private FieldValidation() {}

    /** Decodes the object of a create or update, in place. */
    static void ofBody(Call call, ObjectNode object, WriteContext context) {
        ResourceType type = call.type();
        String beginning =
                type.kind() + " in version \"" + type.version() + "\" cannot be handled as a " + type.kind() + ": ";
        Function<String, StatusException> error = problem -> StatusException.badRequest(beginning + problem);
        decode(type, object, scan(call.request(), context), context, error);
    }

    /** Decodes an object that a patch made, in place; {@code shown} is how an error shows the patch. */
    static void ofPatched(Call call, ObjectNode object, Function<ObjectNode, String> shown, WriteContext context) {
        ObjectNode patched = object.deepCopy();
        Function<String, StatusException> error = problem -> StatusException.invalid(
                "", "", "", List.of(FieldError.invalid("patch", shown.apply(patched), problem)));
        decode(call.type(), object, scan(call.request(), context), context, error);
    }

    /** Looks at the text of an apply, whose unknown fields are found by others. */
    static void ofApply(Call call, WriteContext context) {
        FieldScan scan = isIgnored(context)
                ? FieldScan.NONE
                : FieldScan.of(call.request().body(), true);
        if (!scan.duplicates()) {
            return;
        }
        if (isStrict(context)) {
            throw StatusException.badRequest("error strict decoding patch: error converting YAML to JSON: "
                    + String.join(", ", strictTexts(scan.complaints(), true)));
        }
        scan.complaints().forEach(context.warnings());
    }

    private static FieldScan scan(ApiRequest request, WriteContext context) {
        return isIgnored(context)
                ? FieldScan.NONE
                : FieldScan.of(request.body(), request.contentType().equals("application/yaml"));
    }

    private static void decode(
            ResourceType type,
            ObjectNode object,
            FieldScan scan,
            WriteContext context,
            Function<String, StatusException> error) {
        List<String> unknown;
        try {
            unknown = unknown(type, object);
        } catch (StatusException e) {
            throw error.apply(e.getMessage());
        }
        if (isIgnored(context)) {
            return;
        }
        List<String> duplicates = scan.complaints().stream()
                .map(text -> text.startsWith("duplicate field \"[") ? "json patch " + text : text)
                .toList();
        List<String> texts = unknown.stream().map(FieldValidation::unknownText).toList();
        if (!isStrict(context)) {
            joined(type, scan, duplicates, unknown, texts).forEach(context.warnings());
            return;
        }
        List<String> problems = joined(type, scan, strictTexts(duplicates, scan.yaml()), unknown, texts);
        if (!problems.isEmpty()) {
            throw error.apply("strict decoding error: " + String.join(", ", problems));
        }
    }

    private static String unknownText(String path) {
        return "unknown field " + FieldError.quoted(path);
    }

    /** Built-in kinds complain in the order of the document, custom ones of repeated fields first. */
    private static List<String> joined(
            ResourceType type, FieldScan scan, List<String> duplicates, List<String> unknown, List<String> texts) {
        List<String> all = new ArrayList<>();
        if (type.custom() == null && scan.duplicates() && !scan.yaml()) {
            Set<String> paths = new HashSet<>(unknown);
            for (FieldScan.Field field : scan.fields()) {
                if (field.duplicate()) {
                    all.add(field.complaint(false));
                } else if (paths.contains(field.path())) {
                    all.add(unknownText(field.path()));
                }
            }
            return all;
        }
        all.addAll(duplicates);
        all.addAll(texts);
        return all;
    }

    private static List<String> strictTexts(List<String> duplicates, boolean yaml) {
        return !yaml || duplicates.isEmpty()
                ? duplicates
                : List.of("yaml: unmarshal errors:\n  " + String.join("\n  ", duplicates));
    }

    /** Decodes an object in place and tells the fields that the server does not know. */
    static List<String> unknown(ResourceType type, ObjectNode object) {
        if (type.custom() == null) {
            return BuiltInDecoder.get().decode(type.apiVersion(), type.kind(), object);
        }
        List<String> unknown = new ArrayList<>(BuiltInDecoder.get().decodeMetadata(object));
        CustomSchema schema = type.schema();
        if (schema != null) {
            unknown.addAll(schema.structural().unknownFields(object));
            schema.decode(object);
        }
        return unknown;
    }

    /** Decodes an object in place. */
    static void decode(ResourceType type, ObjectNode object) {
        CustomSchema schema = type.schema();
        if (type.custom() == null) {
            BuiltInDecoder.get().decode(type.apiVersion(), type.kind(), object);
        } else {
            BuiltInDecoder.get().decodeMetadata(object);
        }
        if (schema != null) {
            schema.decode(object);
        }
    }

    private static boolean isStrict(WriteContext context) {
        return context.options().validation().equals("Strict");
    }

    private static boolean isIgnored(WriteContext context) {
        return context.options().validation().equals("Ignore");
    }
}
