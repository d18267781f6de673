package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates an object or changes the one there is. */
final class CreateOrUpdate {

    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final ClientCore core;
    private final Client client;
    private final WriteCalls calls;

    CreateOrUpdate(ClientCore core, Client client) {
        this.core = core;
        this.client = client;
        this.calls = new WriteCalls(core);
    }

    <T extends HasMetadata> OperationResult<T> createOrUpdate(T object, Consumer<T> mutate, WriteOptions options) {
        Attempt<T> attempt = attempt(object, mutate);
        if (attempt.before == null) {
            return new OperationResult<>(client.create(attempt.after, options), Outcome.CREATED);
        }
        if (attempt.difference().isEmpty()) {
            return new OperationResult<>(attempt.after, Outcome.UNCHANGED);
        }
        return new OperationResult<>(client.update(attempt.after, options), Outcome.UPDATED);
    }

    <T extends HasMetadata> OperationResult<T> createOrPatch(T object, Consumer<T> mutate, WriteOptions options) {
        Attempt<T> attempt = attempt(object, mutate);
        if (attempt.before == null) {
            return new OperationResult<>(createWithStatus(attempt, options), Outcome.CREATED);
        }
        ObjectNode main = attempt.difference();
        JsonNode status = attempt.statusDifference();
        T now = attempt.after;
        if (!main.isEmpty()) {
            now = client.patch(now, Patches.tree(MERGE_PATCH, main), options);
        }
        if (!status.isEmpty()) {
            now = client.status().patch(now, Patches.tree(MERGE_PATCH, status), options);
        }
        return new OperationResult<>(now, outcome(!main.isEmpty(), !status.isEmpty()));
    }

    /** Servers leave the status out of what they create where it has an endpoint of its own. */
    private <T extends HasMetadata> T createWithStatus(Attempt<T> attempt, WriteOptions options) {
        T created = client.create(attempt.after, options);
        ObjectNode now = core.codec().tree(created);
        ObjectNode status = MergeDiff.between(now, attempt.tree);
        status.retain("status");
        boolean wanted = attempt.tree.has("status") && !status.isEmpty();
        return wanted ? client.status().patch(created, Patches.tree(MERGE_PATCH, status), options) : created;
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
        Optional<T> found = read(object, kind, key);
        T after = core.codec().copy(found.orElse(object));
        ObjectNode before = found.map(core.codec()::tree).orElse(null);
        mutate.accept(after);
        if (!calls.keyOf(after, kind).equals(key)) {
            throw new IllegalArgumentException("'mutate' must not change name or namespace of "
                    + kind.kind().kind() + " " + key + ", made it " + calls.keyOf(after, kind));
        }
        return new Attempt<>(before, after, core.codec().tree(after));
    }

    private <T extends HasMetadata> Optional<T> read(T object, KindInfo kind, ObjectKey key) {
        return object instanceof GenericKubernetesResource
                ? client.get(kind.kind(), key)
                        .map(now -> ServerWriter.typeOf(object).cast(now))
                : client.get(ServerWriter.typeOf(object), key);
    }

    /** What is there, null if nothing, and what is wanted. */
    private record Attempt<T>(@Nullable ObjectNode before, T after, ObjectNode tree) {

        ObjectNode difference() {
            ObjectNode diff = whole();
            diff.remove("status");
            return diff;
        }

        /** The difference of the status alone, as a patch of the whole object. */
        ObjectNode statusDifference() {
            ObjectNode diff = whole();
            diff.retain("status");
            return diff;
        }

        private ObjectNode whole() {
            return before == null ? tree.deepCopy() : MergeDiff.between(before, tree);
        }
    }
}
