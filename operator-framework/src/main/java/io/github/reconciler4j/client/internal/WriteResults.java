package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ApiResponse;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.WriteListener;
import io.github.reconciler4j.client.WriteOptions;
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
            listener().written(call.kind(), response.body());
        }
        return core.codec().decode(response.body(), type, call.kind());
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
        JsonNode answer = core.codec().readTree(response.body(), CallSender.describe(call));
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
        JsonNode answer = core.codec().readTree(response.body(), CallSender.describe(call));
        for (JsonNode item : answer.path("items")) {
            ObjectNode object = item.deepCopy();
            // Items of built-in kinds come without these two.
            object.put("apiVersion", call.kind().kind().apiVersion());
            object.put("kind", call.kind().kind().kind());
            deletedOrEnding(call.kind(), object, core.codec().bytes(object));
        }
    }

    /** An object stays while it has finalizers or time left to end. */
    private void deletedOrEnding(KindInfo kind, JsonNode object, byte[] json) {
        JsonNode metadata = object.path("metadata");
        boolean stays = metadata.hasNonNull("deletionTimestamp")
                && (!metadata.path("finalizers").isEmpty()
                        || metadata.path("deletionGracePeriodSeconds").asLong(0) > 0);
        if (stays) {
            listener().written(kind, json);
        } else {
            MetadataHeader header = MetadataHeader.of(metadata);
            listener().deleted(kind, header.key(), header.uid(), json);
        }
    }

    private WriteListener listener() {
        return core.options().hooks().listener();
    }
}
