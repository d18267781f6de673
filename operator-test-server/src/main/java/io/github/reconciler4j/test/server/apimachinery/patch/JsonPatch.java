package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * JSON patch (RFC 6902) as the API server carries it out. It differs from the standard in that {@code replace} of a
 * missing field adds it, {@code copy} of a missing field writes {@code null}, a {@code test} for {@code null} passes for a
 * missing field, and negative indexes count from the end of a list. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class JsonPatch {

    /** Most operations that the server takes in one patch. */
    public static final int MAX_OPERATIONS = 10_000;

    private static final Set<String> MEMBERS = Set.of("op", "path", "from", "value");

    private JsonPatch() {}

    /**
     * Returns {@code doc} with all operations of {@code patch} carried out in order; neither argument is changed.
     *
     * @throws StatusException 400 if the patch is not a list of operations, 413 if it has more than
     *     {@value #MAX_OPERATIONS}, 422 if an operation fails, a {@code test} included
     */
    public static JsonNode apply(JsonNode doc, JsonNode patch) {
        checkForm(patch);
        if (patch.size() > MAX_OPERATIONS) {
            throw new StatusException(
                    413,
                    "RequestEntityTooLarge",
                    "The allowed maximum operations in a JSON patch is %d, got %d"
                            .formatted(MAX_OPERATIONS, patch.size()),
                    null);
        }
        PatchTarget target = new PatchTarget(doc.deepCopy());
        for (JsonNode operation : patch) {
            apply(target, operation);
        }
        return target.root();
    }

    /**
     * Lists members of operations that mean nothing, in the words of strict field validation:
     * {@code json patch unknown field "[0].foo"}.
     */
    public static List<String> unknownFields(JsonNode patch) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < patch.size(); i++) {
            for (var member : patch.path(i).properties()) {
                if (!MEMBERS.contains(member.getKey())) {
                    found.add("json patch unknown field \"[%d].%s\"".formatted(i, member.getKey()));
                }
            }
        }
        return found;
    }

    private static void checkForm(JsonNode patch) {
        if (!patch.isArray() && !patch.isNull()) {
            throw undecodable(patch, "Go value of type []handlers.jsonPatchOp");
        }
        for (JsonNode operation : patch) {
            if (!operation.isObject() && !operation.isNull()) {
                throw undecodable(operation, "Go value of type handlers.jsonPatchOp");
            }
            for (String member : List.of("op", "path", "from")) {
                JsonNode value = operation.path(member);
                if (Trees.isPresent(value) && !value.isTextual()) {
                    throw undecodable(value, "Go struct field jsonPatchOp." + member + " of type string");
                }
            }
        }
    }

    private static StatusException undecodable(JsonNode node, String into) {
        return StatusException.badRequest(
                "error decoding patch: json: cannot unmarshal " + Trees.jsonType(node) + " into " + into);
    }

    private static void apply(PatchTarget target, JsonNode operation) {
        switch (operation.path("op").asText()) {
            case "add" -> target.add(member(operation, "path"), value(operation));
            case "remove" -> target.remove(member(operation, "path"));
            case "replace" -> target.replace(member(operation, "path"), value(operation));
            case "move" -> target.move(member(operation, "from"), member(operation, "path"));
            case "copy" -> target.copy(member(operation, "from"), member(operation, "path"));
            case "test" -> target.test(member(operation, "path"), value(operation));
            default -> throw StatusException.unprocessable();
        }
    }

    private static String member(JsonNode operation, String name) {
        JsonNode value = operation.path(name);
        if (!value.isTextual()) {
            throw StatusException.unprocessable();
        }
        return value.textValue();
    }

    private static JsonNode value(JsonNode operation) {
        return operation.has("value") ? operation.get("value").deepCopy() : NullNode.getInstance();
    }
}
