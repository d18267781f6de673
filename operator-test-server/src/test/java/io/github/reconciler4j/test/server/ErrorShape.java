package io.github.reconciler4j.test.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeSet;

/**
 * What clients of an API server evaluate in an error: status code, reason, details, and the reasons and fields of its
 * causes. Messages are for people, and kube-apiserver prints values in them as the Go language does, so they may differ.
 */
public final class ErrorShape {
    private ErrorShape() {}

    /** Return the tree without the messages of the errors in it, and with one cause for each field and reason. */
    public static JsonNode of(JsonNode tree) {
        JsonNode copy = tree.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(JsonNode node) {
        boolean isError = node.path("kind").asText().equals("Status")
                && node.path("status").asText().equals("Failure");
        if (isError && node instanceof ObjectNode error) {
            error.remove("message");
            if (error.at("/details/causes") instanceof ArrayNode causes) {
                TreeSet<String> distinct = new TreeSet<>();
                causes.forEach(cause -> distinct.add(cause.path("field").asText() + ": "
                        + cause.path("reason").asText()));
                causes.removeAll();
                distinct.forEach(causes::add);
            }
        } else {
            node.forEach(ErrorShape::strip);
        }
    }
}
