package io.github.reconciler4j.client.internal.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ObservedWrite;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.ObservedWrite.Effect;
import io.github.reconciler4j.client.WriteObserver;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.http.RequestTarget;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LruMap;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what the dry runs of observe mode would change. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DryRunRecorder {

    private static final List<String> SET_BY_SERVER =
            List.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink");

    private final ApiConnection connection;

    DryRunRecorder(ApiConnection connection) {
        this.connection = connection;
    }

    /** Send a dry run and report its effect. */
    ApiResponse record(ClientCall call, WriteObserver observer, Supplier<ApiResponse> send) {
        JsonNode before = before(call);
        ApiResponse response = send.get();
        if (call.verb() == Verb.CREATE && !call.subresource().isEmpty()) {
            // The response to an eviction, a binding or a token is not the object, and may be confidential.
            observer.observed(write(call, Effect.CHANGED, List.of()));
            return response;
        }
        if (call.verb() == Verb.DELETE || call.verb() == Verb.DELETE_ALL) {
            observer.observed(write(call, Effect.DELETED, List.of()));
            return response;
        }
        JsonNode after = essential(ObjectCodec.readTree(response.body(), Call.describe(call)));
        boolean isCreation = before.isMissingNode();
        boolean isSecret = call.kind().resource().equals("secrets");
        List<ObservedWrite.Change> changes = FieldChanges.between(before, after, isSecret);
        if (isCreation || !changes.isEmpty()) {
            observer.observed(write(call, isCreation ? Effect.CREATED : Effect.CHANGED, changes));
        }
        return response;
    }

    private static ObservedWrite write(ClientCall call, Effect effect, List<ObservedWrite.Change> changes) {
        String name = call.key()
                .map(ObjectKey::toString)
                .orElse(RequestTarget.of(call.request().path()).namespace() + "/*");
        return new ObservedWrite(call, name, effect, changes);
    }

    /** Return the current state, in the form of the response to the write. */
    private JsonNode before(ClientCall call) {
        if (call.key().isEmpty() || call.verb() == Verb.CREATE) {
            return MissingNode.getInstance();
        }
        ApiRequest get = ApiRequest.of("get", "GET", call.request().path())
                .withTimeout(call.request().timeout());
        try {
            return essential(ObjectCodec.readTree(
                    connection.send(get).body(), "get " + call.kind().resource()));
        } catch (NotFoundException e) {
            return MissingNode.getInstance();
        }
    }

    /** Return the fields that differ in two states of an object; empty bytes are no object. */
    public static List<Change> changes(KindInfo kind, byte[] before, byte[] after) {
        return FieldChanges.between(state(before), state(after), kind.resource().equals("secrets"));
    }

    private static JsonNode state(byte[] json) {
        return json.length == 0 ? MissingNode.getInstance() : essential(ObjectCodec.readTree(json, "compare"));
    }

    private static JsonNode essential(JsonNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(SET_BY_SERVER);
        }
        return object;
    }

    /**
     * Logs observed writes; the same effect on the same object only once. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class Log implements WriteObserver {

        private static final Logger logger = LoggerFactory.getLogger("io.github.reconciler4j.client.observe");
        private static final int MAX_OBJECTS = 10_000;

        private final LruMap<String, String> lastEffects = new LruMap<>(MAX_OBJECTS);

        /** Create a log. */
        public Log() {}

        @Override
        public void observed(ObservedWrite write) {
            ClientCall call = write.call();
            String object = call.verb().word() + " " + call.kind().resource()
                    + (call.subresource().isEmpty() ? "" : "/" + call.subresource()) + " " + write.object();
            String effect = describe(write);
            if (!effect.equals(lastEffects.put(object, effect))) {
                logger.info("Observe mode: {} would have {}", object, effect);
            }
        }

        private static String describe(ObservedWrite write) {
            StringBuilder text = new StringBuilder(
                    switch (write.effect()) {
                        case CREATED -> "created it";
                        case CHANGED -> "changed it";
                        case DELETED -> "deleted it";
                    });
            String separator = ": ";
            for (ObservedWrite.Change change : write.changes()) {
                text.append(separator).append(change.path()).append(' ');
                text.append(change.before().isEmpty() ? "(none)" : change.before())
                        .append(" -> ");
                text.append(change.after().isEmpty() ? "(none)" : change.after());
                separator = "; ";
            }
            return text.toString();
        }
    }
}
