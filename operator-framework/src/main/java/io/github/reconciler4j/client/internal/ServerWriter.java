package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.DeleteOptions;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;

/** Writes objects on the API server. */
final class ServerWriter {

    private final ClientCore core;
    private final WriteCalls calls;
    private final WriteResults results;

    ServerWriter(ClientCore core) {
        this.core = core;
        this.calls = new WriteCalls(core);
        this.results = new WriteResults(core);
    }

    <T extends HasMetadata> T create(T object, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        return write(calls.create(kind, calls.tree(object, kind), options), typeOf(object), options);
    }

    <T extends HasMetadata> T update(T object, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode tree = calls.tree(object, kind);
        ClientCall call = calls.update(
                kind, WriteCalls.keyOf(tree, kind), "", core.codec().bytes(tree), options);
        return write(call, typeOf(object), options);
    }

    <T extends HasMetadata> T patch(T object, Patch patch, WriteOptions options) {
        if (patch.isEmpty()) {
            return core.codec().copy(object);
        }
        KindInfo kind = core.kindOf(object);
        return patch(kind, calls.keyOf(object, kind), patch, typeOf(object), options);
    }

    <T extends HasMetadata> T patch(Class<T> type, ObjectKey key, Patch patch, WriteOptions options) {
        KindInfo kind = core.kindOf(type);
        return patch(kind, core.key(kind, key), patch, type, options);
    }

    GenericKubernetesResource patch(GroupVersionKind gvk, ObjectKey key, Patch patch, WriteOptions options) {
        KindInfo kind = core.kindOf(gvk);
        return patch(kind, core.key(kind, key), patch, GenericKubernetesResource.class, options);
    }

    private <T> T patch(KindInfo kind, ObjectKey key, Patch patch, Class<T> type, WriteOptions options) {
        byte[] body = patch.body();
        return write(calls.patch(kind, key, "", patch.contentType(), body, options), type, options);
    }

    <T extends HasMetadata> T apply(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode tree = ApplyTrees.forObject(calls.tree(object, kind), options);
        return apply(kind, tree, typeOf(object), options).object();
    }

    /** Apply a tree from {@link ApplyTrees#forObject}. */
    <T extends HasMetadata> OperationResult<T> apply(
            KindInfo kind, ObjectNode tree, Class<T> type, ApplyOptions options) {
        ClientCall call = calls.apply(
                kind,
                WriteCalls.keyOf(tree, kind),
                "",
                core.codec().bytes(tree),
                options.force(),
                !options.optimisticLock(),
                options.write());
        ApiResponse response = core.send(call);
        T now = results.object(call, response, type, options.write());
        return new OperationResult<>(now, response.code() == 201 ? Outcome.CREATED : Outcome.UPDATED);
    }

    private <T> T write(ClientCall call, Class<T> type, WriteOptions options) {
        ApiResponse response = core.send(call);
        return results.object(call, response, type, options);
    }

    boolean delete(HasMetadata object, DeleteOptions options) {
        KindInfo kind = core.kindOf(object);
        return delete(kind, calls.keyOf(object, kind), options);
    }

    boolean delete(Class<? extends HasMetadata> type, ObjectKey key, DeleteOptions options) {
        KindInfo kind = core.kindOf(type);
        return delete(kind, core.key(kind, key), options);
    }

    boolean delete(GroupVersionKind gvk, ObjectKey key, DeleteOptions options) {
        KindInfo kind = core.kindOf(gvk);
        return delete(kind, core.key(kind, key), options);
    }

    private boolean delete(KindInfo kind, ObjectKey key, DeleteOptions options) {
        ClientCall call = calls.delete(kind, key, options);
        try {
            results.deletion(call, key, core.send(call));
            return true;
        } catch (KindNotServedException e) {
            throw e;
        } catch (NotFoundException e) {
            return false;
        }
    }

    void deleteAll(Class<? extends HasMetadata> type, ListOptions select, DeleteOptions options) {
        deleteAll(core.kindOf(type), select, options);
    }

    void deleteAll(GroupVersionKind kind, ListOptions select, DeleteOptions options) {
        deleteAll(core.kindOf(kind), select, options);
    }

    private void deleteAll(KindInfo kind, ListOptions select, DeleteOptions options) {
        ClientCall call = calls.deleteAll(kind, select, options);
        results.deletions(call, core.send(call));
    }

    @SuppressWarnings("unchecked")
    static <T> Class<T> typeOf(T object) {
        return (Class<T>) object.getClass();
    }
}
