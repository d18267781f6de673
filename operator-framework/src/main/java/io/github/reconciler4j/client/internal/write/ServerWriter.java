package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.Writer;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.request.ResponseChecks;
import io.github.reconciler4j.client.internal.write.WriteCalls.Target;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes objects to the API server and notifies the listener of the responses. The client is a subclass; whether an apply is
 * necessary is decided there.
 *
 * @since 0.1.0
 */
public abstract class ServerWriter implements Writer {

    private static final Logger LOG = LoggerFactory.getLogger(ServerWriter.class);
    private static final LogLimiter FAILED_CONSUMERS = new LogLimiter();

    private final ClientCore core;
    private final WriteCalls calls;

    /** Create a writer. */
    protected ServerWriter(ClientCore core) {
        this.core = core;
        this.calls = new WriteCalls(core);
    }

    @Override
    public <T extends HasMetadata> T create(T object, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        Call call = calls.create(kind, calls.tree(object, kind), options);
        return write(core, call, ObjectCodec.typeOf(object), options);
    }

    @Override
    public <T extends HasMetadata> T update(T object, WriteOptions options) {
        return new ContentWrites(core, "").update(object, options);
    }

    @Override
    public <T extends HasMetadata> T patch(T object, ObjectPatch patch, WriteOptions options) {
        if (patch.isEmpty()) {
            return ObjectCodec.copy(object);
        }
        Patches.Difference difference = Patches.differenceOf(patch);
        if (difference != null) {
            return difference.write(new ContentWrites(core, ""), object, options);
        }
        KindInfo kind = core.kindOf(object);
        return patch(kind, calls.keyOf(object, kind), patch, ObjectCodec.typeOf(object), options);
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, ObjectPatch patch, WriteOptions options) {
        KindInfo info = core.kindOf(kind);
        return patch(info, core.key(info, key), patch, kind.objectType(), options);
    }

    private <T extends HasMetadata> T patch(
            KindInfo kind, ObjectKey key, ObjectPatch patch, Class<T> type, WriteOptions options) {
        return write(core, calls.patch(new Target(kind, key, ""), patch, options), type, options);
    }

    @Override
    public <T extends HasMetadata> T applyUnconditionally(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode tree = ApplyTrees.forObject(calls.tree(object, kind), options);
        return apply(core, kind, tree, ObjectCodec.typeOf(object), options).object();
    }

    /** Apply a tree from {@link ApplyTrees#forObject}. */
    public static <T extends HasMetadata> OperationResult<T> apply(
            ClientCore core, KindInfo kind, ObjectNode tree, Class<T> type, ApplyOptions options) {
        Target target = new Target(kind, WriteCalls.keyOf(tree, kind), "");
        Call call =
                new WriteCalls(core).apply(target, tree, options.force(), !options.optimisticLock(), options.write());
        ApiResponse response = core.send(call);
        T now = read(core, call, response, type, options.write());
        return new OperationResult<>(now, response.code() == 201 ? Outcome.CREATED : Outcome.UPDATED);
    }

    @Override
    public boolean delete(HasMetadata object, DeletionOptions options) {
        KindInfo kind = core.kindOf(object);
        return delete(kind, calls.keyOf(object, kind), options);
    }

    @Override
    public boolean delete(Kind<?> kind, ObjectKey key, DeletionOptions options) {
        KindInfo info = core.kindOf(kind);
        return delete(info, core.key(info, key), options);
    }

    private boolean delete(KindInfo kind, ObjectKey key, DeletionOptions options) {
        Call call = calls.delete(kind, key, options);
        try {
            notifyOfDeletion(call, key, core.send(call));
            return true;
        } catch (KindNotServedException e) {
            throw e;
        } catch (NotFoundException e) {
            return false;
        }
    }

    @Override
    public void deleteAll(Kind<?> kind, Selection select, DeletionOptions options) {
        Call call = calls.deleteAll(core.kindOf(kind), select, options);
        notifyOfDeletions(call, core.send(call));
    }

    private void notifyOfDeletion(Call call, ObjectKey key, ApiResponse response) {
        JsonNode answer = ObjectCodec.readTree(response.body(), Call.describe(call));
        boolean isStatus = ResponseChecks.isStatusOfSuccess(answer, call);
        if (!isStatus) {
            ObjectCodec.checkObject(answer, call, call.kind().kind().kind());
        }
        if (call.dryRun()) {
            return;
        }
        if (isStatus) {
            String uid = answer.path("details").path("uid").asText("");
            core.listener().deleted(call.kind(), key, uid, null);
        } else {
            notifyOfDeleted(call.kind(), answer, response.body());
        }
    }

    private void notifyOfDeletions(Call call, ApiResponse response) {
        JsonNode answer = ObjectCodec.readTree(response.body(), Call.describe(call));
        if (ResponseChecks.isStatusOfSuccess(answer, call)) {
            return;
        }
        ResponseChecks.checkList(core, answer, call);
        if (call.dryRun()) {
            return;
        }
        for (JsonNode item : answer.path("items")) {
            if (item instanceof ObjectNode object) {
                // Items of built-in kinds come without these two.
                object.put("apiVersion", call.kind().kind().apiVersion());
                object.put("kind", call.kind().kind().kind());
                notifyOfDeleted(call.kind(), object, ObjectCodec.bytes(object));
            }
        }
    }

    /** A deleted object remains while it has finalizers or time left. */
    private void notifyOfDeleted(KindInfo kind, JsonNode object, byte[] json) {
        if (isTerminating(object) && isHeld(object)) {
            core.listener().written(kind, json);
        } else {
            notifyOfEnd(core, kind, object, json);
        }
    }

    /** Send a write and return the object that it resulted in. */
    static <T extends HasMetadata> T write(ClientCore core, Call call, Class<T> type, WriteOptions options) {
        return read(core, call, core.send(call), type, options);
    }

    /** Read the response to a write. The listener receives it even if it does not fit the class. */
    private static <T extends HasMetadata> T read(
            ClientCore core, Call call, ApiResponse response, Class<T> type, WriteOptions options) {
        T object;
        try {
            object = ObjectCodec.object(response.body(), type, call);
        } catch (UndecodableObjectException e) {
            notifyOfWrite(core, call, response.body(), true);
            report(call, response, options);
            throw e;
        }
        notifyOfWrite(core, call, response.body(), object.getMetadata().getDeletionTimestamp() != null);
        if (!call.dryRun()) {
            call.key().ifPresent(key -> core.known().received(call.kind(), key, object, response.body()));
        }
        report(call, response, options);
        return object;
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
    private static void notifyOfWrite(ClientCore core, Call call, byte[] json, boolean mayBeTerminating) {
        if (call.dryRun()) {
            return;
        }
        if (mayBeTerminating) {
            JsonNode object = ObjectCodec.readTree(json, Call.describe(call));
            if (isTerminating(object) && !isHeld(object)) {
                notifyOfEnd(core, call.kind(), object, json);
                return;
            }
        }
        core.listener().written(call.kind(), json);
    }

    private static void notifyOfEnd(ClientCore core, KindInfo kind, JsonNode object, byte[] json) {
        JsonNode metadata = object.path("metadata");
        ObjectKey key = new ObjectKey(
                metadata.path("namespace").asText(""), metadata.path("name").asText(""));
        core.listener().deleted(kind, key, metadata.path("uid").asText(""), json);
    }

    private static boolean isTerminating(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Namespaces have finalizers in their spec too. */
    private static boolean isHeld(JsonNode object) {
        return !object.path("metadata").path("finalizers").isEmpty()
                || !object.path("spec").path("finalizers").isEmpty()
                || object.path("metadata").path("deletionGracePeriodSeconds").asLong(0) > 0;
    }

    /** Send a write whose response is not the object. */
    static <R> R post(ClientCore core, ClientCall call, Class<R> type, WriteOptions options) {
        ApiResponse response = core.send(call);
        report(call, response, options);
        return ObjectCodec.other(response.body(), type, call);
    }
}
