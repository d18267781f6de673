package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates an object or changes the existing one, with or without its status. Immutable.
 *
 * @since 0.1.0
 */
public final class CreateOrUpdate {

    private static final String STATUS = "status";

    private final ClientCore core;
    private final Client client;
    private final WriteCalls calls;
    private final ContentWrites contents;
    private final ContentWrites statuses;

    /** Create it. */
    public CreateOrUpdate(WriteSender sender, Client client) {
        this.core = sender.core();
        this.client = client;
        this.calls = sender.calls();
        this.contents = new ContentWrites(sender, "");
        this.statuses = new ContentWrites(sender, STATUS);
    }

    /** See {@link Client#createOrUpdate(HasMetadata, Consumer, WriteOptions)}. */
    public <T extends HasMetadata> OperationResult<T> createOrUpdate(
            T object, Consumer<T> mutate, WriteOptions options) {
        Attempt<T> attempt = attempt(object, mutate);
        if (attempt.before == null) {
            return new OperationResult<>(client.create(attempt.after, options), Outcome.CREATED);
        }
        if (attempt.difference(false).isEmpty()) {
            return new OperationResult<>(attempt.after, Outcome.UNCHANGED);
        }
        String version = attempt.before.path("metadata").path("resourceVersion").asText("");
        T now = contents.edit(attempt.after, attempt.before, attempt.tree, version, options);
        return new OperationResult<>(now, Outcome.UPDATED);
    }

    /** See {@link Client#createOrPatch(HasMetadata, Consumer, WriteOptions)}. */
    public <T extends HasMetadata> OperationResult<T> createOrPatch(
            T object, Consumer<T> mutate, WriteOptions options) {
        Attempt<T> attempt = attempt(object, mutate);
        if (attempt.before == null) {
            return new OperationResult<>(createWithStatus(attempt, options), Outcome.CREATED);
        }
        ObjectNode main = attempt.difference(false);
        ObjectNode status = attempt.difference(true);
        T now = attempt.after;
        if (!main.isEmpty()) {
            ObjectNode after = withStatusOf(attempt.before, attempt.tree);
            now = contents.edit(now, attempt.before, after, "", options);
        }
        if (!status.isEmpty()) {
            ObjectNode after = withStatusOf(attempt.tree, attempt.before);
            now = statuses.edit(now, attempt.before, after, "", options);
        }
        return new OperationResult<>(now, outcome(!main.isEmpty(), !status.isEmpty()));
    }

    /** See {@link Client#edit(HasMetadata, Consumer, WriteOptions)}. */
    public <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options) {
        return edit(object, change, false, options);
    }

    /** See {@link Client#editWithStatus(HasMetadata, Consumer, WriteOptions)}. */
    public <T extends HasMetadata> T editWithStatus(T object, Consumer<T> change, WriteOptions options) {
        return edit(object, change, true, options);
    }

    private <T extends HasMetadata> T edit(T object, Consumer<T> change, boolean withStatus, WriteOptions options) {
        T changed = ObjectCodec.copy(object);
        change.accept(changed);
        checkKey(object, changed);
        ObjectNode before = ObjectCodec.tree(object);
        ObjectNode after = ObjectCodec.tree(changed);
        ObjectNode difference = MergeDiff.between(before, after);
        boolean status = difference.remove(STATUS) != null;
        if (status && !withStatus) {
            throw new IllegalArgumentException("'change' must not change the status of " + object.getKind()
                    + ", which the server would ignore: call editWithStatus, or status().edit for the status alone");
        }
        T now = changed;
        if (!difference.isEmpty()) {
            ObjectNode main = withStatusOf(before, after);
            now = contents.edit(object, before, main, "", options);
        }
        if (status) {
            ObjectNode main = withStatusOf(after, before);
            now = statuses.edit(now, before, main, "", options);
        }
        return now;
    }

    private void checkKey(HasMetadata object, HasMetadata changed) {
        KindInfo kind = core.kindOf(object);
        ObjectKey key = calls.keyOf(object, kind);
        ObjectKey other = calls.keyOf(changed, kind);
        if (!other.equals(key)) {
            throw new IllegalArgumentException("'change' must not change name or namespace of "
                    + kind.kind().kind() + " " + key + ", made it " + other);
        }
    }

    /** A server drops the status of a new object if the kind has a status subresource. */
    private <T extends HasMetadata> T createWithStatus(Attempt<T> attempt, WriteOptions options) {
        T created = client.create(attempt.after, options);
        ObjectNode status = MergeDiff.between(ObjectCodec.tree(created), attempt.tree);
        status.retain(STATUS);
        boolean missing = attempt.tree.has(STATUS) && !status.isEmpty();
        return missing ? client.status().patch(created, ObjectPatch.merge(status), options) : created;
    }

    private static ObjectNode withStatusOf(ObjectNode other, ObjectNode tree) {
        ObjectNode combined = tree.deepCopy();
        combined.remove(STATUS);
        if (other.has(STATUS)) {
            combined.set(STATUS, other.get(STATUS));
        }
        return combined;
    }

    private static Outcome outcome(boolean main, boolean status) {
        if (main) {
            return status ? Outcome.UPDATED_WITH_STATUS : Outcome.UPDATED;
        }
        return status ? Outcome.UPDATED_STATUS_ONLY : Outcome.UNCHANGED;
    }

    private <T extends HasMetadata> Attempt<T> attempt(T object, Consumer<T> mutate) {
        KindInfo kind = core.kindOf(object);
        ObjectKey key = calls.keyOf(object, kind);
        Optional<T> found = object instanceof GenericKubernetesResource
                ? client.get(Kind.of(kind.kind()), key)
                        .map(now -> ObjectCodec.typeOf(object).cast(now))
                : client.get(ObjectCodec.typeOf(object), key);
        T after = ObjectCodec.copy(found.orElse(object));
        ObjectNode before = found.map(ObjectCodec::tree).orElse(null);
        mutate.accept(after);
        if (!calls.keyOf(after, kind).equals(key)) {
            throw new IllegalArgumentException("'mutate' must not change name or namespace of "
                    + kind.kind().kind() + " " + key + ", made it " + calls.keyOf(after, kind));
        }
        return new Attempt<>(before, after, ObjectCodec.tree(after));
    }

    /** The existing object, null if it does not exist, and the desired one. */
    private record Attempt<T>(@Nullable ObjectNode before, T after, ObjectNode tree) {

        /** Return the difference of the status, or of everything else, as a patch of the object. */
        ObjectNode difference(boolean ofStatus) {
            ObjectNode difference = before == null ? tree.deepCopy() : MergeDiff.between(before, tree);
            if (ofStatus) {
                difference.retain(STATUS);
            } else {
                difference.remove(STATUS);
            }
            return difference;
        }
    }
}
