package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads and writes one subresource on the API server. */
final class ServerSubresource implements SubresourceClient {

    private final ClientCore core;
    private final String name;
    private final WriteCalls calls;
    private final WriteResults results;

    ServerSubresource(ClientCore core, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' of a subresource must not be blank");
        }
        this.core = core;
        this.name = name;
        this.calls = new WriteCalls(core);
        this.results = new WriteResults(core);
    }

    @Override
    public <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options) {
        T changed = core.codec().copy(object);
        change.accept(changed);
        ObjectNode difference =
                MergeDiff.between(core.codec().tree(object), core.codec().tree(changed));
        List<String> others = new ArrayList<>();
        difference.fieldNames().forEachRemaining(others::add);
        others.remove(name);
        if (name.equals("status") && !others.isEmpty()) {
            throw new IllegalArgumentException("'change' must change the status of " + object.getKind()
                    + " only, but changed " + others + ", which the server would ignore");
        }
        if (difference.isEmpty()) {
            return changed;
        }
        return patch(object, Patch.merge(difference), options);
    }

    @Override
    public <T extends HasMetadata> T update(T object, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode tree = calls.tree(object, kind);
        byte[] body = core.codec().bytes(tree);
        ClientCall call = calls.update(kind, WriteCalls.keyOf(tree, kind), name, body, options);
        return results.object(call, core.send(call), ServerWriter.typeOf(object), options);
    }

    @Override
    public <T extends HasMetadata> T patch(T object, Patch patch, WriteOptions options) {
        if (patch.isEmpty()) {
            return core.codec().copy(object);
        }
        return patch(object, patch, ServerWriter.typeOf(object), options);
    }

    /** Patches, whatever form the subresource has. */
    <R> R patch(HasMetadata object, Patch patch, Class<R> type, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        byte[] body = patch.body();
        ClientCall call = calls.patch(kind, calls.keyOf(object, kind), name, patch.contentType(), body, options);
        return results.object(call, core.send(call), type, options);
    }

    @Override
    public <T extends HasMetadata> T apply(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode whole = calls.tree(object, kind);
        ObjectKey key = WriteCalls.keyOf(whole, kind);
        ObjectNode tree =
                name.equals("status") ? ApplyTrees.forStatus(whole, options) : ApplyTrees.forObject(whole, options);
        byte[] body = core.codec().bytes(tree);
        ClientCall call =
                calls.apply(kind, key, name, body, options.force(), !options.optimisticLock(), options.write());
        return results.object(call, core.send(call), ServerWriter.typeOf(object), options.write());
    }

    @Override
    public <R extends KubernetesResource> R read(HasMetadata of, Class<R> result) {
        KindInfo kind = core.kindOf(of);
        ObjectKey key = calls.keyOf(of, kind);
        ApiRequest request = ApiRequest.of("get", "GET", kind.path(key) + "/" + name)
                .withTimeout(core.options().timeout());
        ClientCall call = new Call(ClientCall.Verb.GET, kind, Optional.of(key), name, false, true, request);
        return core.codec().decode(core.send(call).body(), result, kind);
    }

    @Override
    public <R extends KubernetesResource> R write(HasMetadata of, R body, WriteOptions options) {
        KindInfo kind = core.kindOf(of);
        byte[] bytes = core.codec().bytes(body);
        ClientCall call = calls.update(kind, calls.keyOf(of, kind), name, bytes, options);
        return results.object(call, core.send(call), ServerWriter.typeOf(body), options);
    }

    @Override
    public <R extends KubernetesResource> R post(
            HasMetadata of, KubernetesResource body, Class<R> result, WriteOptions options) {
        KindInfo kind = core.kindOf(of);
        byte[] bytes = core.codec().bytes(body);
        ClientCall call = calls.post(kind, calls.keyOf(of, kind), name, bytes, options);
        return results.other(call, core.send(call), result, options);
    }
}
