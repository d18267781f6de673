package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.spi.WrittenVersions;
import io.github.reconciler4j.client.internal.write.WriteCalls.Target;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the writes of a client, reads the responses, and notifies the listener of what became of the objects. The parts of a client
 * share one. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class WriteSender {

    private static final Logger LOG = LoggerFactory.getLogger(WriteSender.class);
    private static final LogLimiter FAILED_CONSUMERS = new LogLimiter();

    private final ClientCore core;
    private final WriteCalls calls;

    /** Create it. */
    public WriteSender(ClientCore core) {
        this.core = core;
        this.calls = new WriteCalls(core);
    }

    /** Return what the parts of the client share. */
    public ClientCore core() {
        return core;
    }

    /** Return what makes the calls. */
    public WriteCalls calls() {
        return calls;
    }

    /** Send a write and return the object that it resulted in. */
    <T extends HasMetadata> T write(Call call, Class<T> type, WriteOptions options) {
        return read(call, core.send(call), type, options);
    }

    /** Apply a tree from {@link ApplyTrees#forObject}. */
    public <T extends HasMetadata> OperationResult<T> apply(
            KindInfo kind, ObjectNode tree, Class<T> type, ApplyOptions options) {
        Target target = new Target(kind, WriteCalls.keyOf(tree, kind), "");
        Call call = calls.apply(target, tree, options.force(), !options.optimisticLock(), options.write());
        ApiResponse response = core.send(call);
        T now = read(call, response, type, options.write());
        return new OperationResult<>(now, response.code() == 201 ? Outcome.CREATED : Outcome.UPDATED);
    }

    /** Read the response to a write. The listener receives it even if it does not fit the class. */
    private <T extends HasMetadata> T read(Call call, ApiResponse response, Class<T> type, WriteOptions options) {
        T object;
        try {
            object = ObjectCodec.object(response.body(), type, call);
        } catch (UndecodableObjectException e) {
            notifyOfWrite(call, response.body(), true);
            report(call, response, options);
            throw e;
        }
        notifyOfWrite(call, response.body(), object.getMetadata().getDeletionTimestamp() != null);
        if (WrittenVersions.areRecorded()) {
            record(call, object.getMetadata());
        }
        if (!call.dryRun()) {
            call.key().ifPresent(key -> core.known().received(call.kind(), key, object, response.body()));
        }
        report(call, response, options);
        return object;
    }

    /**
     * Record the answer to a write. Only a write that names the version which it is for can say what it replaced, and one that
     * changed nothing returns that version.
     */
    private static void record(Call call, ObjectMeta answered) {
        byte[] body = call.request().body();
        if (body == null || call.dryRun() || answered.getUid() == null || answered.getResourceVersion() == null) {
            return;
        }
        JsonNode sent = ObjectCodec.readTree(body, Call.describe(call));
        String before = sent.path("metadata").path("resourceVersion").asText("");
        if (!before.isEmpty() && !before.equals(answered.getResourceVersion())) {
            WrittenVersions.wrote(answered.getUid(), before, answered.getResourceVersion());
        }
    }

    /** Pass on the warnings of the server. The write has happened, so a consumer that fails must not fail the call. */
    private static void report(ClientCall call, ApiResponse response, WriteOptions options) {
        for (String warning : response.warnings()) {
            try {
                options.onWarning().accept(warning);
            } catch (Throwable e) {
                FAILED_CONSUMERS.log(
                        LogLimiter.cause(e),
                        occurrence -> LOG.warn(
                                "The consumer of warnings failed on {}{}",
                                Call.describe(call),
                                occurrence.suffix(e),
                                occurrence.trace(e)));
            }
        }
    }

    /**
     * Notify the listener. A write can be the end of an object: if it removed the last finalizer of a terminating one.
     *
     * @param mayBeTerminating whether the response must be read to find out
     */
    private void notifyOfWrite(Call call, byte[] json, boolean mayBeTerminating) {
        if (call.dryRun()) {
            return;
        }
        if (mayBeTerminating) {
            JsonNode object = ObjectCodec.readTree(json, Call.describe(call));
            if (isTerminating(object) && !isHeld(object)) {
                notifyOfEnd(call.kind(), object, json);
                return;
            }
        }
        core.listener().written(call.kind(), json);
    }

    void notifyOfEnd(KindInfo kind, JsonNode object, byte[] json) {
        String uid = object.path("metadata").path("uid").asText("");
        core.listener().deleted(kind, keyOf(object), uid, json);
    }

    static ObjectKey keyOf(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectKey(
                metadata.path("namespace").asText(""), metadata.path("name").asText(""));
    }

    static boolean isTerminating(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Namespaces have finalizers in their spec too. */
    static boolean isHeld(JsonNode object) {
        return !object.path("metadata").path("finalizers").isEmpty()
                || !object.path("spec").path("finalizers").isEmpty()
                || object.path("metadata").path("deletionGracePeriodSeconds").asLong(0) > 0;
    }

    /** Send a write whose response is not the object. */
    <R> R post(ClientCall call, Class<R> type, WriteOptions options) {
        ApiResponse response = core.send(call);
        report(call, response, options);
        return ObjectCodec.other(response.body(), type, call);
    }
}
