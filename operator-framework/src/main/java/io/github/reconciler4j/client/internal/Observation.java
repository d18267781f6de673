package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ObservedWrite;
import io.github.reconciler4j.client.ObservedWrite.Effect;
import io.github.reconciler4j.client.WriteObserver;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.http.RequestTarget;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Tells an observer what a dry run says would change. */
final class Observation {

    private static final List<String> SET_BY_SERVER =
            List.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink");

    private final ApiConnection connection;
    private final ObjectCodec codec;

    Observation(ApiConnection connection) {
        this.connection = connection;
        this.codec = new ObjectCodec();
    }

    /** Sends a dry run and tells of its effect. */
    ApiResponse run(ClientCall call, WriteObserver observer, Supplier<ApiResponse> send) {
        JsonNode before = before(call);
        ApiResponse response = send.get();
        if (call.verb() == Verb.CREATE && !call.subresource().isEmpty()) {
            // An eviction, a binding, a token: the answer is not the object, and may be confidential.
            observer.observed(write(call, Effect.CHANGED, List.of()));
            return response;
        }
        if (call.verb() == Verb.DELETE || call.verb() == Verb.DELETE_ALL) {
            observer.observed(write(call, Effect.DELETED, List.of()));
            return response;
        }
        JsonNode after = essential(codec.readTree(response.body(), Call.describe(call)));
        boolean isCreation = before.isMissingNode();
        List<ObservedWrite.Change> changes = FieldChanges.between(before, after, isSecret(call));
        if (isCreation || !changes.isEmpty()) {
            observer.observed(write(call, isCreation ? Effect.CREATED : Effect.CHANGED, changes));
        }
        return response;
    }

    private static boolean isSecret(ClientCall call) {
        return call.kind().resource().equals("secrets");
    }

    private static ObservedWrite write(ClientCall call, Effect effect, List<ObservedWrite.Change> changes) {
        return new ObservedWrite(call, name(call), effect, changes);
    }

    private static String name(ClientCall call) {
        return call.key()
                .map(ObjectKey::toString)
                .orElse(RequestTarget.of(call.request().path()).namespace() + "/*");
    }

    /** What is there now, in the form the write answers with. */
    private JsonNode before(ClientCall call) {
        if (call.key().isEmpty() || call.verb() == Verb.CREATE || !call.verb().isWrite()) {
            return MissingNode.getInstance();
        }
        ApiRequest request = call.request();
        ApiRequest get =
                ApiRequest.of("get", "GET", request.path()).withQuery(Map.of()).withTimeout(request.timeout());
        try {
            return essential(codec.readTree(
                    connection.send(get).body(), "get " + call.kind().resource()));
        } catch (NotFoundException e) {
            return MissingNode.getInstance();
        }
    }

    private static JsonNode essential(JsonNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(SET_BY_SERVER);
        }
        return object;
    }
}
