package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.ScaleClient;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.write.WriteCalls.Target;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.PathSegments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads and writes one subresource on the API server.
 *
 * @since 0.1.0
 */
public final class ServerSubresource implements SubresourceClient {

    private static final String STATUS = "status";

    private final ClientCore core;
    private final String name;
    private final WriteSender sender;
    private final WriteCalls calls;
    private final ContentWrites contents;

    /**
     * Create a client for a subresource.
     *
     * @throws IllegalArgumentException if the name cannot be part of a path
     */
    public ServerSubresource(WriteSender sender, String name) {
        this.core = sender.core();
        this.sender = sender;
        this.name = PathSegments.check("subresource", name.strip());
        this.calls = sender.calls();
        this.contents = new ContentWrites(sender, this.name);
    }

    /** Create a client for the scale of objects. */
    public static ScaleClient scale(WriteSender sender) {
        return new ServerScale(new ServerSubresource(sender, "scale"));
    }

    private Target target(HasMetadata object) {
        KindInfo kind = core.kindOf(object);
        return new Target(kind, calls.keyOf(object, kind), name);
    }

    @Override
    public <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options) {
        T changed = ObjectCodec.copy(object);
        change.accept(changed);
        ObjectNode before = ObjectCodec.tree(object);
        ObjectNode after = ObjectCodec.tree(changed);
        ObjectNode difference = MergeDiff.between(before, after);
        if (difference.isEmpty()) {
            return changed;
        }
        List<String> others = new ArrayList<>();
        difference.fieldNames().forEachRemaining(others::add);
        others.remove(STATUS);
        if (name.equals(STATUS) && !others.isEmpty()) {
            throw new IllegalArgumentException("'change' must change the status of " + object.getKind()
                    + " only, but changed " + others + ", which the server would ignore");
        }
        return contents.edit(object, before, after, "", options);
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
        Call call = calls.patch(target(object), patch, options);
        return sender.write(call, ObjectCodec.typeOf(object), options);
    }

    @Override
    public <T extends HasMetadata> T apply(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode whole = calls.tree(object, kind);
        Target target = new Target(kind, WriteCalls.keyOf(whole, kind), name);
        ObjectNode tree =
                name.equals(STATUS) ? ApplyTrees.forStatus(whole, options) : ApplyTrees.forObject(whole, options);
        Call call = calls.apply(target, tree, options.force(), !options.optimisticLock(), options.write());
        return sender.write(call, ObjectCodec.typeOf(object), options.write());
    }

    @Override
    public <R extends KubernetesResource> R read(HasMetadata of, Class<R> result) {
        Target target = target(of);
        ApiRequest request = ApiRequest.of("get", "GET", target.path())
                .withTimeout(core.options().timeout());
        Call call = Call.read(Verb.GET, target.kind(), Optional.of(target.key()), name, request);
        return ObjectCodec.other(core.send(call).body(), result, call);
    }

    @Override
    public <R extends KubernetesResource> R write(HasMetadata of, R body, WriteOptions options) {
        Call call = calls.update(target(of), ObjectCodec.bytes(body), options);
        return sender.post(call, ObjectCodec.typeOf(body), options);
    }

    @Override
    public <R extends KubernetesResource> R post(
            HasMetadata of, KubernetesResource body, Class<R> result, WriteOptions options) {
        Call call = calls.post(target(of), ObjectCodec.bytes(body), options);
        return sender.post(call, result, options);
    }

    /** Reads and sets replicas. */
    private record ServerScale(ServerSubresource subresource) implements ScaleClient {

        @Override
        public Scale get(HasMetadata object) {
            return subresource.read(object, Scale.class);
        }

        @Override
        public Scale set(HasMetadata object, int replicas, WriteOptions options) {
            if (replicas < 0) {
                throw new IllegalArgumentException("'replicas' must not be negative, was " + replicas);
            }
            ObjectPatch patch = ObjectPatch.merge(Map.of("spec", Map.of("replicas", replicas)));
            Call call = subresource.calls.patch(subresource.target(object), patch, options);
            return subresource.sender.post(call, Scale.class, options);
        }
    }
}
