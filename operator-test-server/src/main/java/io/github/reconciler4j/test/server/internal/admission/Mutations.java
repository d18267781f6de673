package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.ServerSideApply;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.JsonPatch;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Carries out the mutations of policies. Stateless; safe for use by multiple threads. */
final class Mutations {
    private final BiConsumer<ResourceType, ObjectNode> decoder;

    Mutations(BiConsumer<ResourceType, ObjectNode> decoder) {
        this.decoder = decoder;
    }

    /** A mutation that cannot be carried out. */
    static final class UnusablePatchException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusablePatchException(String message) {
            super(message);
        }
    }

    /** Return the object in the version of the policy, with the mutation. */
    ObjectNode apply(
            Policies.Mutation mutation, ResourceType type, AdmissionRequest request, AdmissionExpressions.Input input)
            throws UnusablePatchException {
        ObjectNode object = Admission.versioned(type, Objects.requireNonNull(request.object()));
        JsonNode patch = mutation.expression().evaluate(input);
        JsonNode changed = mutation.isJsonPatch() ? patched(object, patch) : merged(object, patch, type);
        if (!(changed instanceof ObjectNode result)) {
            throw new UnusablePatchException("JSON Patch: the patch does not leave an object");
        }
        if (Json.text(result, "kind").equals(type.kind())) {
            decoder.accept(type, result);
        }
        return result;
    }

    private static JsonNode patched(ObjectNode object, JsonNode patch) throws UnusablePatchException {
        for (JsonNode operation : patch) {
            if (operation.path("op").asText().equals("test")) {
                ArrayNode one = Json.array().add(operation);
                try {
                    JsonPatch.apply(object, one);
                } catch (StatusException e) {
                    return object;
                }
            }
        }
        try {
            return JsonPatch.apply(object, patch);
        } catch (StatusException e) {
            throw new UnusablePatchException("JSON Patch: the patch does not fit the object: " + patch);
        }
    }

    private static JsonNode merged(ObjectNode object, JsonNode patch, ResourceType type) throws UnusablePatchException {
        ObjectNode applied = patch.deepCopy();
        applied.set("apiVersion", object.path("apiVersion"));
        applied.set("kind", object.path("kind"));
        TypeSchema schema = type.typeSchema();
        List<String> errors = ServerSideApply.errors(applied, schema);
        if (!errors.isEmpty()) {
            throw new UnusablePatchException("error applying patch: failed to convert patch object to typed object: "
                    + String.join("\n", errors));
        }
        List<String> atomics = new ArrayList<>();
        Atomics.find(applied, schema, "", atomics);
        if (!atomics.isEmpty()) {
            throw new UnusablePatchException(
                    "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
                            + String.join(", ", atomics));
        }
        try {
            return ServerSideApply.merge(object, applied, schema);
        } catch (StatusException e) {
            throw new UnusablePatchException("error applying patch: " + e.getMessage());
        }
    }

    /** Finds parts of a patch that are owned as a whole. */
    private static final class Atomics {
        private Atomics() {}

        static void find(JsonNode value, @Nullable TypeSchema type, String path, List<String> found) {
            if (type == null) {
                return;
            }
            TypeSchema.MapType map = type.map();
            TypeSchema.ListType list = type.list();
            if (value.isObject() && map != null) {
                if (map.atomic()) {
                    found.add(path);
                }
                value.properties()
                        .forEach(field ->
                                find(field.getValue(), map.typeOf(field.getKey()), path + "." + field.getKey(), found));
            } else if (value.isArray() && list != null) {
                if (list.atomic()) {
                    found.add(path);
                }
                for (int i = 0; i < value.size(); i++) {
                    find(value.get(i), list.element().get(), path + "[" + i + "]", found);
                }
            }
        }
    }
}
