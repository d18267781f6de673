package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.JsonPatch;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.MergePatch;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.StrategicMergePatch;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads patches of all forms. Stateless; safe for use by multiple threads. */
final class Patches {
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    private static final String APPLY_PATCH = "application/apply-patch+yaml";

    private Patches() {}

    /**
     * A patch that was read.
     *
     * @param change what it does to an object
     * @param fresh makes an object that is missing; null when the patch needs one
     * @param tracks whether it says itself who owns which field
     */
    record Patch(UnaryOperator<ObjectNode> change, @Nullable UnaryOperator<ObjectNode> fresh, boolean tracks) {}

    static Patch read(Call call, WriteContext context, ObjectAccess access) {
        ApiRequest request = call.request();
        String form = request.contentType();
        if (form.equals(APPLY_PATCH)) {
            return apply(call, context, access);
        }
        if (request.query().has("force")) {
            throw invalidOptions(FieldError.forbidden("force", "may not be specified for non-apply patch"));
        }
        ResourceType type = call.type();
        boolean builtIn = type.custom() == null;
        return switch (form) {
            case JSON_PATCH -> {
                JsonNode patch = parsed(request);
                yield simple(call, context, object -> JsonPatch.apply(object, patch));
            }
            case MERGE_PATCH -> {
                JsonNode patch = parsed(request);
                yield simple(call, context, object -> MergePatch.apply(object, patch));
            }
            case STRATEGIC_PATCH -> {
                if (!builtIn) {
                    throw unsupported(false);
                }
                JsonNode patch = parsed(request);
                yield simple(call, context, object -> StrategicMergePatch.apply(object, patch, type.typeSchema()));
            }
            default -> throw unsupported(builtIn);
        };
    }

    private static StatusException unsupported(boolean builtIn) {
        if (builtIn) {
            String message = "415: Unsupported Media Type";
            return new StatusException(415, "UnsupportedMediaType", message, Json.object());
        }
        return StatusException.unsupportedMediaType(String.join(", ", JSON_PATCH, MERGE_PATCH, APPLY_PATCH));
    }

    /** Read the patch first, so that an unreadable patch is rejected for any object. */
    private static JsonNode parsed(ApiRequest request) {
        try {
            return Bodies.json(request.body());
        } catch (StatusException e) {
            throw StatusException.badRequest("invalid JSON patch");
        }
    }

    private static StatusException invalidOptions(FieldError cause) {
        return StatusException.invalid("meta.k8s.io", "PatchOptions", "", List.of(cause));
    }

    /** Return a patch of an object that is no stored kind, such as a scale; a JSON, merge or strategic patch, or an apply. */
    static UnaryOperator<ObjectNode> ofForeign(ApiRequest request, String apiVersion, String kind) {
        return switch (request.contentType()) {
            case JSON_PATCH -> object -> object(tree -> JsonPatch.apply(tree, Bodies.json(request.body())), object);
            case MERGE_PATCH, STRATEGIC_PATCH ->
                object -> object(tree -> MergePatch.apply(tree, Bodies.json(request.body())), object);
            case APPLY_PATCH ->
                object -> {
                    JsonNode applied = Bodies.yaml(request.body());
                    if (applied instanceof ObjectNode tree) {
                        Bodies.requireKind(tree, apiVersion, kind);
                    }
                    return object(tree -> MergePatch.apply(tree, applied), object);
                };
            default -> throw unsupported(true);
        };
    }

    private static Patch simple(Call call, WriteContext context, UnaryOperator<JsonNode> change) {
        UnaryOperator<ObjectNode> whole = object -> {
            ObjectNode patched = object(change, object.deepCopy());
            FieldValidation.ofPatched(call, patched, context);
            return sameObject(call.type(), object, patched);
        };
        return new Patch(whole, null, false);
    }

    /** Return a patch may not make another object of the one it is for. */
    private static ObjectNode sameObject(ResourceType type, ObjectNode before, ObjectNode after) {
        checkType(type, after);
        String name = Json.text(before, "metadata", "name");
        String newName = Json.text(after, "metadata", "name");
        if (!newName.equals(name)) {
            throw StatusException.badRequest(
                    newName.isEmpty()
                            ? "name must be provided"
                            : "the name of the object (" + newName + ") does not match the name on the URL (" + name
                                    + ")");
        }
        // The write of another version fails with a conflict, before its uid is looked at.
        String version = Json.text(after, "metadata", "resourceVersion");
        boolean conflict = !version.isEmpty() && !version.equals(Json.text(before, "metadata", "resourceVersion"));
        return conflict ? after : sameUid(type, before, after);
    }

    /** An apply that names a uid is for an object that exists. */
    private static void requireNoUid(ResourceType type, ObjectNode applied) {
        String uid = Json.text(applied, "metadata", "uid");
        if (!uid.isEmpty()) {
            String why =
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found";
            throw StatusException.conflict(type.group(), type.plural(), Json.text(applied, "metadata", "name"), why);
        }
    }

    private static void checkType(ResourceType type, ObjectNode after) {
        String version = Json.text(after, "apiVersion");
        String kind = Json.text(after, "kind");
        if (type.custom() != null || version.equals(type.apiVersion()) && kind.equals(type.kind())) {
            return;
        }
        String why = "no kind " + FieldError.quoted(kind) + " is registered for version " + FieldError.quoted(version);
        FieldError cause = FieldError.invalid("patch", after, why);
        throw StatusException.invalid("", "", "", List.of(cause));
    }

    private static ObjectNode sameUid(ResourceType type, ObjectNode before, ObjectNode after) {
        String name = Json.text(before, "metadata", "name");
        String uid = Json.text(after, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(Json.text(before, "metadata", "uid"))) {
            FieldError cause = FieldError.invalid("metadata.uid", uid, "field is immutable");
            throw StatusException.invalid(type.group(), type.kind(), name, List.of(cause));
        }
        return after;
    }

    private static ObjectNode object(UnaryOperator<JsonNode> change, ObjectNode object) {
        if (change.apply(object) instanceof ObjectNode patched) {
            return patched;
        }
        throw StatusException.badRequest("the patch does not leave an object");
    }

    private static Patch apply(Call call, WriteContext context, ObjectAccess access) {
        if (call.request().query().first("fieldManager").isEmpty()) {
            throw invalidOptions(FieldError.required("fieldManager", "is required for apply patch"));
        }
        ResourceType type = call.type();
        String subresource = call.info().subresource();
        ObjectNode applied = applied(call);
        UnaryOperator<ObjectNode> change =
                live -> sameUid(type, live, FieldOwners.apply(type, subresource, live, applied, context, access.now()));
        UnaryOperator<ObjectNode> fresh = none -> {
            requireNoUid(type, applied);
            return FieldOwners.apply(type, subresource, null, applied, context, access.now());
        };
        return new Patch(change, subresource.isEmpty() ? fresh : null, true);
    }

    /** Return the object to apply; the namespace is taken from the path later. */
    private static ObjectNode applied(Call call) {
        ResourceType type = call.type();
        JsonNode body = appliedBody(call.request().body());
        if (!(body instanceof ObjectNode applied)) {
            throw StatusException.badRequest(
                    "error decoding patch: error unmarshaling JSON: while decoding JSON: json:" + " cannot unmarshal "
                            + JsonValues.jsonType(body) + " into Go value of type map[string]interface {}");
        }
        String version = Json.text(applied, "apiVersion");
        String kind = Json.text(applied, "kind");
        if (!kind.equals(type.kind())) {
            String[] parts = version.contains("/") ? version.split("/", 2) : new String[] {"", version};
            throw StatusException.badRequest("invalid object type: " + parts[0] + "/" + parts[1] + ", Kind=" + kind);
        }
        Bodies.requireKind(applied, type.apiVersion(), type.kind());
        if (Json.text(applied, "metadata", "name").isEmpty()) {
            throw StatusException.badRequest("the name of the object ("
                    + call.info().name() + " based on URL) was undeterminable: name must be provided");
        }
        Bodies.requireName(type, applied, call.info().name());
        MetadataRules.settleNamespace(type, applied.deepCopy(), call.info().namespace());
        return applied;
    }

    private static JsonNode appliedBody(byte[] body) {
        if (body.length == 0) {
            return Json.object();
        }
        try {
            return Bodies.yaml(body);
        } catch (StatusException e) {
            throw StatusException.badRequest("error encoding patch: " + e.getMessage());
        }
    }
}
