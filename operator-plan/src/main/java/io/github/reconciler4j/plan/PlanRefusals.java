package io.github.reconciler4j.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/** What the API server would refuse after the writes of the plan, which it does not know. */
final class PlanRefusals {

    private static final int CONFLICT = 409;

    private PlanRefusals() {}

    /** Return the kind and the name of an object as the API server does. */
    static String quoted(ClientCall call) {
        String group = call.kind().kind().group();
        return call.kind().plural() + (group.isEmpty() ? "" : "." + group) + " \""
                + call.key().map(ObjectKey::name).orElse("") + "\"";
    }

    /**
     * Refuse a creation, because the object exists.
     *
     * @param there the object
     */
    static void refuseToCreate(ClientCall call, byte[] there) {
        throw new AlreadyExistsException(
                call + ": 409 AlreadyExists: " + (JsonTrees.isTerminating(there) ? "object is being deleted: " : "")
                        + quoted(call) + " already exists",
                ErrorDetails.of(CONFLICT, "AlreadyExists"));
    }

    /** Refuse a deletion whose preconditions the object does not meet. */
    static void checkPreconditions(ClientCall call, byte[] there) {
        Optional<JsonNode> wanted = Optional.ofNullable(call.request().body())
                .flatMap(JsonTrees::object)
                .map(options -> options.path("preconditions"));
        Optional<JsonNode> metadata = JsonTrees.object(there).map(tree -> tree.path("metadata"));
        if (wanted.isEmpty() || metadata.isEmpty()) {
            return;
        }
        check(call, wanted.get(), metadata.get(), "uid", "UID", "deleted and then recreated");
        check(call, wanted.get(), metadata.get(), "resourceVersion", "ResourceVersion", "modified");
    }

    private static void check(
            ClientCall call, JsonNode wanted, JsonNode metadata, String field, String title, String otherwise) {
        String expected = wanted.path(field).asText("");
        String found = metadata.path(field).asText("");
        if (!expected.isEmpty() && !expected.equals(found)) {
            throw new ConflictException(
                    call + ": 409 Conflict: the " + title + " in the precondition (" + expected
                            + ") does not match the " + title + " in record (" + found
                            + "). The object might have been " + otherwise,
                    ErrorDetails.of(CONFLICT, "Conflict"));
        }
    }
}
