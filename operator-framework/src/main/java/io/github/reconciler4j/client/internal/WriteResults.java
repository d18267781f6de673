package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;

/** Takes in what the server answers to writes, and tells the listener. */
final class WriteResults {

    private final ClientCore core;

    WriteResults(ClientCore core) {
        this.core = core;
    }

    /** The object that was written. The listener hears of it even if it does not fit the class. */
    <T> T object(ClientCall call, ApiResponse response, Class<T> type, WriteOptions options) {
        warn(response, options);
        if (!call.dryRun()
                && core.codec()
                        .kindOf(response.body())
                        .equals(call.kind().kind().kind())) {
            tell(call, response.body());
        }
        return core.codec().decode(response.body(), type, call.kind());
    }

    /** What is written may be the end of the object: when the last finalizer is taken off one that is to be deleted. */
    private void tell(ClientCall call, byte[] json) {
        if (!ObjectCodec.mentionsDeletion(json)) {
            listener().written(call.kind(), json);
            return;
        }
        JsonNode object = core.codec().readTree(json, Call.describe(call));
        if (isEnding(object) && !isHeld(object)) {
            deleted(call.kind(), object, json);
        } else {
            listener().written(call.kind(), json);
        }
    }

    /** An answer of another form than the object. */
    <R> R other(ClientCall call, ApiResponse response, Class<R> type, WriteOptions options) {
        warn(response, options);
        return core.codec().decode(response.body(), type, call.kind());
    }

    private static void warn(ApiResponse response, WriteOptions options) {
        response.warnings().forEach(options.onWarning());
    }

    void deletion(ClientCall call, ObjectKey key, ApiResponse response) {
        if (call.dryRun()) {
            return;
        }
        JsonNode answer = core.codec().readTree(response.body(), Call.describe(call));
        if (answer.path("kind").asText("").equals("Status")) {
            listener()
                    .deleted(
                            call.kind(), key, answer.path("details").path("uid").asText(""), null);
        } else {
            deletedOrEnding(call.kind(), answer, response.body());
        }
    }

    void deletions(ClientCall call, ApiResponse response) {
        if (call.dryRun()) {
            return;
        }
        JsonNode answer = core.codec().readTree(response.body(), Call.describe(call));
        for (JsonNode item : answer.path("items")) {
            ObjectNode object = item.deepCopy();
            // Items of built-in kinds come without these two.
            object.put("apiVersion", call.kind().kind().apiVersion());
            object.put("kind", call.kind().kind().kind());
            deletedOrEnding(call.kind(), object, core.codec().bytes(object));
        }
    }

    private void deletedOrEnding(KindInfo kind, JsonNode object, byte[] json) {
        if (isEnding(object) && isHeld(object)) {
            listener().written(kind, json);
        } else {
            deleted(kind, object, json);
        }
    }

    private void deleted(KindInfo kind, JsonNode object, byte[] json) {
        MetadataHeader header = MetadataHeader.of(object.path("metadata"));
        listener().deleted(kind, header.key(), header.uid(), json);
    }

    private static boolean isEnding(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Something that ends stays while it has finalizers (Namespaces have others, too) or time left. */
    private static boolean isHeld(JsonNode object) {
        return !object.path("metadata").path("finalizers").isEmpty()
                || !object.path("spec").path("finalizers").isEmpty()
                || object.path("metadata").path("deletionGracePeriodSeconds").asLong(0) > 0;
    }

    private WriteListener listener() {
        return core.wiring().listener;
    }
}
