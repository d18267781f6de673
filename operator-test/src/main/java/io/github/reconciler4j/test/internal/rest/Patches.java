package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.internal.error.StatusCause;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.internal.registry.ResourceType;
import io.github.reconciler4j.test.tree.GoFormat;
import io.github.reconciler4j.test.tree.TreeException;
import io.github.reconciler4j.test.tree.patch.JsonPatch;
import io.github.reconciler4j.test.tree.patch.MergePatch;
import io.github.reconciler4j.test.tree.patch.StrategicMergePatch;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads patches of all forms. Stateless; safe for use by many threads. */
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
            throw invalidOptions(StatusCause.forbidden("force", "may not be specified for non-apply patch"));
        }
        ResourceType type = call.type();
        boolean builtIn = type.custom() == null;
        return switch (form) {
            case JSON_PATCH ->
                simple(call, context, object -> JsonPatch.apply(object, Bodies.json(request.body())), Patches::shown);
            case MERGE_PATCH ->
                simple(call, context, object -> MergePatch.apply(object, Bodies.json(request.body())), Patches::shown);
            case STRATEGIC_PATCH -> {
                if (!builtIn) {
                    throw unsupported(false);
                }
                JsonNode patch = Bodies.json(request.body());
                yield simple(
                        call,
                        context,
                        object -> StrategicMergePatch.apply(object, patch, FieldOwners.schema(type)),
                        object -> GoFormat.value(patch));
            }
            default -> throw unsupported(builtIn);
        };
    }

    private static StatusException unsupported(boolean builtIn) {
        List<String> forms = builtIn
                ? List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH)
                : List.of(JSON_PATCH, MERGE_PATCH, APPLY_PATCH);
        return StatusException.unsupportedMediaType(String.join(", ", forms));
    }

    private static StatusException invalidOptions(StatusCause cause) {
        return StatusException.invalid("meta.k8s.io", "PatchOptions", "", List.of(cause));
    }

    /** A patch of an object that is no stored kind, such as a scale; a JSON, merge or strategic patch, or an apply. */
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

    private static Patch simple(
            Call call, WriteContext context, UnaryOperator<JsonNode> change, Function<ObjectNode, String> shown) {
        UnaryOperator<ObjectNode> whole = object -> {
            ObjectNode patched = object(change, object);
            FieldValidation.ofPatched(call, patched, shown, context);
            return patched;
        };
        return new Patch(whole, null, false);
    }

    /** A patched object as errors show it: fields in the order of their names. */
    private static String shown(ObjectNode object) {
        return GoFormat.json(object);
    }

    private static ObjectNode object(UnaryOperator<JsonNode> change, ObjectNode object) {
        try {
            if (change.apply(object) instanceof ObjectNode patched) {
                return patched;
            }
            throw StatusException.badRequest("the patch does not leave an object");
        } catch (TreeException e) {
            throw TreeErrors.toStatus(e);
        }
    }

    private static Patch apply(Call call, WriteContext context, ObjectAccess access) {
        if (call.request().query().first("fieldManager").isEmpty()) {
            throw invalidOptions(StatusCause.required("fieldManager", "is required for apply patch"));
        }
        ResourceType type = call.type();
        String subresource = call.info().subresource();
        if (!(Bodies.yaml(call.request().body()) instanceof ObjectNode applied)) {
            throw StatusException.badRequest("error decoding YAML: the patch is no object");
        }
        Bodies.requireKind(applied, type.apiVersion(), type.kind());
        Bodies.requireName(type, applied, call.info().name());
        FieldValidation.ofApply(call, context);
        UnaryOperator<ObjectNode> change =
                live -> FieldOwners.apply(type, subresource, live, applied, context, access.now());
        UnaryOperator<ObjectNode> fresh =
                none -> FieldOwners.apply(type, subresource, null, applied, context, access.now());
        return new Patch(change, subresource.isEmpty() ? fresh : null, true);
    }
}
