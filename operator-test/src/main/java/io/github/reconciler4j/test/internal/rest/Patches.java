package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.tree.TreeException;
import io.github.reconciler4j.test.tree.patch.JsonPatch;
import io.github.reconciler4j.test.tree.patch.MergePatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads patches of all forms. Stateless; safe for use by many threads. */
final class Patches {
    private static final String CUSTOM_FORMS =
            "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
    private static final String BUILT_IN_FORMS = "application/json-patch+json, application/merge-patch+json,"
            + " application/strategic-merge-patch+json, application/apply-patch+yaml";

    private Patches() {}

    /**
     * A patch that was read.
     *
     * @param change what it does to an object
     * @param fresh makes an object that is missing; null when the patch needs one
     */
    record Patch(UnaryOperator<ObjectNode> change, @Nullable UnaryOperator<ObjectNode> fresh) {}

    static Patch read(Call call, ObjectAccess access) {
        ApiRequest request = call.request();
        return switch (request.contentType()) {
            case "application/json-patch+json" ->
                simple(object -> JsonPatch.apply(object, Bodies.json(request.body())));
            case "application/merge-patch+json" ->
                simple(object -> MergePatch.apply(object, Bodies.json(request.body())));
            default ->
                throw StatusException.unsupportedMediaType(
                        call.type().custom() == null ? BUILT_IN_FORMS : CUSTOM_FORMS);
        };
    }

    private static Patch simple(UnaryOperator<JsonNode> change) {
        return new Patch(object -> object(change, object), null);
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
}
