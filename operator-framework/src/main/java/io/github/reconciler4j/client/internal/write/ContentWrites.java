package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ConflictBackoff;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader.Stored;
import io.github.reconciler4j.client.internal.write.WriteCalls.Target;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Optional;

/**
 * Writes the difference between two states of an object, so that what its class does not know, its cache does not keep or it may
 * only read stays as it is on the server. A merge patch replaces lists as a whole, so one that was changed is made of the
 * list of the server, and written only if that has not changed meanwhile. Immutable.
 */
final class ContentWrites {

    private static final String STATUS = "status";
    private static final int MAX_ATTEMPTS = 10;

    private final ClientCore core;
    private final WriteSender sender;
    private final WriteCalls calls;
    private final String subresource;

    /**
     * Create it.
     *
     * @param subresource the subresource to write, {@code ""} for the object
     */
    ContentWrites(WriteSender sender, String subresource) {
        this.core = sender.core();
        this.sender = sender;
        this.calls = sender.calls();
        this.subresource = subresource;
    }

    /** A state of an object as the server or the cache has it, and as the class of the object writes it. */
    private record State(String version, boolean transformed, ObjectNode raw, ObjectNode typed) {

        ObjectNode patch(JsonNode before, JsonNode after) {
            return MergeDiff.between(before, after, typed, raw);
        }
    }

    /** Write an object if it still has the version in which it was read. One that was not read replaces that of the server. */
    <T extends HasMetadata> T update(T object, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode wanted = calls.tree(object, kind);
        Target target = new Target(kind, WriteCalls.keyOf(wanted, kind), subresource);
        Class<T> type = ObjectCodec.typeOf(object);
        String version = wanted.path("metadata").path("resourceVersion").asText("");
        if (version.isEmpty() || wanted.path("metadata").path("uid").asText("").isEmpty()) {
            return put(target, wanted, type, options);
        }
        boolean replace = !subresource.isEmpty() && !subresource.equals(STATUS); // not each of them can be patched
        Optional<State> read = core.known()
                .find(kind, target.key(), object, isCached(kind))
                .map(stored -> state(stored, target, type))
                .or(() -> live(target, type, version));
        ObjectNode before = read.map(State::typed).orElse(wanted);
        ObjectNode patch = read.map(state -> state.patch(before, wanted)).orElseGet(ContentWrites::empty);
        boolean incomplete = read.filter(State::transformed).isPresent() && MergeDiff.setsList(patch);
        if (replace || incomplete) {
            Optional<State> live = live(target, type, version);
            patch = live.map(state -> state.patch(before, wanted)).orElseGet(ContentWrites::empty);
            if (replace) {
                ObjectNode changes = patch;
                ObjectNode whole =
                        live.map(state -> MergeDiff.apply(state.raw, changes)).orElse(wanted);
                return put(target, whole, type, options);
            }
        }
        // If the state was not found, the object has changed, and the version alone makes the server say so.
        return send(target, lock(only(patch), version), type, options);
    }

    private boolean isCached(KindInfo kind) {
        return !core.options().uncached().contains(kind.kind());
    }

    private static ObjectNode empty() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The server ignores everything else in an update of a status. */
    private ObjectNode only(ObjectNode patch) {
        return subresource.equals(STATUS) ? patch.retain(STATUS) : patch;
    }

    /**
     * Write the difference between two states of an object. Only a list makes the write depend on the version on the server;
     * after a conflict, the difference is made in the new state.
     *
     * @param object the object as it was read
     * @param after what it is to be; may lack parts that {@code before} lacks too
     * @param lock the only version that may be written, {@code ""} for any
     */
    <T extends HasMetadata> T edit(T object, JsonNode before, JsonNode after, String lock, WriteOptions options) {
        KindInfo kind = core.kindOf(object);
        Target target = new Target(kind, calls.keyOf(object, kind), subresource);
        Class<T> type = ObjectCodec.typeOf(object);
        if (object.getMetadata().getResourceVersion() == null || !MergeDiff.changesList(before, after)) {
            return send(target, lock(MergeDiff.between(before, after), lock), type, options);
        }
        Optional<State> state = (lock.isEmpty()
                        ? core.known().newest(kind, target.key(), isCached(kind))
                        : core.known().find(kind, target.key(), object, isCached(kind)))
                .filter(stored -> !stored.transformed())
                .map(stored -> state(stored, target, type));
        for (int attempts = 1; ; attempts++) {
            try {
                state = state.isPresent() ? state : live(target, type, lock);
            } catch (ForbiddenException e) { // the list counts as one field then
                return send(target, lock(MergeDiff.between(before, after), lock), type, options);
            }
            if (state.isEmpty()) {
                return send(target, lock(MergeDiff.between(before, after), lock), type, options);
            }
            State now = state.get();
            ObjectNode patch = now.patch(before, after);
            if (patch.isEmpty() && lock.isEmpty()) {
                return object(now.raw, target, type);
            }
            try {
                return send(target, lock(patch, now.version), type, options);
            } catch (ConflictException e) {
                if (!lock.isEmpty() || attempts == MAX_ATTEMPTS) {
                    throw e;
                }
                ConflictBackoff.await(kind.resource() + " " + target.key(), attempts);
                state = Optional.empty();
            }
        }
    }

    private static ObjectNode lock(ObjectNode patch, String version) {
        if (!version.isEmpty()) {
            patch.withObjectProperty("metadata").put("resourceVersion", version);
        }
        return patch;
    }

    private <T extends HasMetadata> T send(Target target, ObjectNode patch, Class<T> type, WriteOptions options) {
        return sender.write(calls.patch(target, ObjectPatch.merge(patch), options), type, options);
    }

    private <T extends HasMetadata> T put(Target target, ObjectNode tree, Class<T> type, WriteOptions options) {
        return sender.write(calls.update(target, ObjectCodec.bytes(tree), options), type, options);
    }

    private <T extends HasMetadata> State state(Stored stored, Target target, Class<T> type) {
        JsonNode tree = ObjectCodec.readTree(stored.json(), target.path());
        ObjectNode raw = (ObjectNode) tree;
        raw.withObjectProperty("metadata").remove("managedFields");
        return new State(
                stored.resourceVersion(),
                stored.transformed(),
                raw,
                calls.tree(object(raw, target, type), target.kind()));
    }

    private static <T extends HasMetadata> T object(ObjectNode raw, Target target, Class<T> type) {
        raw.put("apiVersion", target.kind().kind().apiVersion());
        raw.put("kind", target.kind().kind().kind());
        try {
            return KubernetesJson.mapper().treeToValue(raw, type);
        } catch (JsonProcessingException e) {
            throw UndecodableObjectException.of(target.kind().kind(), target.key(), type, e);
        }
    }

    /**
     * Read an object from the server.
     *
     * @param version the version that it must have, {@code ""} for any
     */
    private <T extends HasMetadata> Optional<State> live(Target target, Class<T> type, String version) {
        KindInfo kind = target.kind();
        ApiRequest request = ApiRequest.of("get", "GET", kind.path(target.key()))
                .withTimeout(core.options().timeout());
        Call call = Call.read(Verb.GET, kind, Optional.of(target.key()), "", request);
        byte[] json;
        try {
            json = core.send(call).body();
        } catch (KindNotServedException e) {
            throw e;
        } catch (NotFoundException e) {
            return Optional.empty();
        }
        JsonNode tree = ObjectCodec.readTree(json, Call.describe(call));
        ObjectCodec.checkObject(tree, call, kind.kind().kind());
        String found = tree.path("metadata").path("resourceVersion").asText("");
        return version.isEmpty() || version.equals(found)
                ? Optional.of(state(new Stored(found, json, false), target, type))
                : Optional.empty();
    }
}
