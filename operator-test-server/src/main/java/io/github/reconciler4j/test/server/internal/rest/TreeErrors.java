package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TreeException;
import io.github.reconciler4j.test.server.internal.error.StatusException;
import io.github.reconciler4j.test.server.internal.json.Json;

/** Answers for what the tree functions refuse. */
final class TreeErrors {
    private TreeErrors() {}

    static StatusException toStatus(TreeException error) {
        ObjectNode details = error.httpStatus() == 422 ? Json.object() : null;
        if (!error.causes().isEmpty()) {
            details = Json.object();
            ArrayNode causes = details.putArray("causes");
            error.causes()
                    .forEach(cause -> causes.addObject()
                            .put("reason", cause.reason())
                            .put("message", cause.message())
                            .put("field", cause.field()));
        }
        return new StatusException(error.httpStatus(), error.reason(), error.getMessage(), details);
    }
}
