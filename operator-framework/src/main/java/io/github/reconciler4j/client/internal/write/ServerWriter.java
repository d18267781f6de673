package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.Writer;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.request.ResponseChecks;
import io.github.reconciler4j.client.internal.write.WriteCalls.Target;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Set;

/**
 * Writes objects to the API server and notifies the listener of the responses. The client is a subclass; whether an apply is
 * necessary is decided there.
 *
 * @since 0.1.0
 */
public abstract class ServerWriter implements Writer {

    /** Kinds whose dependents are orphaned by default, which takes a finalizer, as the API server's strategies say. */
    private static final Set<String> ORPHANING = Set.of("jobs.batch", "replicationcontrollers");

    private final ClientCore core;
    private final WriteSender sender;
    private final WriteCalls calls;
    private final ContentWrites contents;

    /** Create a writer. */
    protected ServerWriter(WriteSender sender) {
        this.core = sender.core();
        this.sender = sender;
        this.calls = sender.calls();
        this.contents = new ContentWrites(sender, "");
    }

    @Override
    public <T extends HasMetadata> T create(T object, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        Call call = calls.create(kind, calls.tree(object, kind), options);
        return sender.write(call, ObjectCodec.typeOf(object), options);
    }

    @Override
    public <T extends HasMetadata> T update(T object, WriteOptions options) {
        return contents.update(object, options);
    }

    @Override
    public <T extends HasMetadata> T patch(T object, ObjectPatch patch, WriteOptions options) {
        if (patch.isEmpty()) {
            return ObjectCodec.copy(object);
        }
        Patches.Difference difference = Patches.differenceOf(patch);
        if (difference != null) {
            return difference.write(contents, object, options);
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
        return sender.write(calls.patch(new Target(kind, key, ""), patch, options), type, options);
    }

    @Override
    public <T extends HasMetadata> T applyUnconditionally(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode tree = ApplyTrees.forObject(calls.tree(object, kind), options);
        return sender.apply(kind, tree, ObjectCodec.typeOf(object), options).object();
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
        notifyOfDeletions(call, options, core.send(call));
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

    private void notifyOfDeletions(Call call, DeletionOptions options, ApiResponse response) {
        JsonNode answer = ObjectCodec.readTree(response.body(), Call.describe(call));
        if (ResponseChecks.isStatusOfSuccess(answer, call)) {
            return;
        }
        ResponseChecks.checkList(core, answer, call);
        if (call.dryRun()) {
            return;
        }
        boolean allStay = areHeld(call.kind(), options);
        for (JsonNode item : answer.path("items")) {
            if (item instanceof ObjectNode object) {
                // Items of built-in kinds come without these two.
                object.put("apiVersion", call.kind().kind().apiVersion());
                object.put("kind", call.kind().kind().kind());
                notifyOfOneOfMany(call.kind(), object, allStay);
            }
        }
    }

    /** Return whether a deletion leaves objects without finalizers for a while. */
    private static boolean areHeld(KindInfo kind, DeletionOptions options) {
        boolean graceful = kind.resource().equals("pods")
                && options.gracePeriod().filter(Duration::isZero).isEmpty();
        return graceful
                || options.propagation()
                        .map(propagation -> propagation != Propagation.BACKGROUND)
                        .orElse(ORPHANING.contains(kind.resource()));
    }

    /** The answer has the objects as they were before: whether one with a reason to stay is still there, it does not say. */
    private void notifyOfOneOfMany(KindInfo kind, ObjectNode object, boolean stays) {
        if (!WriteSender.isTerminating(object) && (stays || WriteSender.isHeld(object))) {
            core.listener().refused(kind, WriteSender.keyOf(object));
        } else {
            notifyOfDeleted(kind, object, ObjectCodec.bytes(object));
        }
    }

    /** A deleted object remains while it has finalizers or time left. */
    private void notifyOfDeleted(KindInfo kind, JsonNode object, byte[] json) {
        if (WriteSender.isTerminating(object) && WriteSender.isHeld(object)) {
            core.listener().written(kind, json);
        } else {
            sender.notifyOfEnd(kind, object, json);
        }
    }
}
