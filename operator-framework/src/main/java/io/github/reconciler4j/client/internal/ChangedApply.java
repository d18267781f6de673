package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.ApplyResult;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Objects;
import java.util.Optional;

/** Applies an object unless it is known that this would change nothing. */
final class ChangedApply {

    private final ClientCore core;
    private final Reader reader;
    private final ServerWriter writer;
    private final WriteCalls calls;
    private final FormerApply former;

    /**
     * Creates it.
     *
     * @param reader where the present state is read
     */
    ChangedApply(ClientCore core, Reader reader, ServerWriter writer) {
        this.core = core;
        this.reader = reader;
        this.writer = writer;
        this.calls = new WriteCalls(core);
        this.former = new FormerApply(core);
    }

    <T extends HasMetadata> ApplyResult<T> run(T object, ApplyOptions options) {
        if (options.optimisticLock() || core.isDryRun(options.write().dryRun())) {
            return new ApplyResult<>(writer.apply(object, options), true);
        }
        KindInfo kind = core.kindOf(object);
        ObjectNode wanted = ApplyTrees.forObject(calls.tree(object, kind), options);
        ObjectKey key = WriteCalls.keyOf(wanted, kind);
        AppliedMemory.Place place = new AppliedMemory.Place(kind.kind(), key, calls.fieldManager(options.write()));
        JsonDigest.Value digest = JsonDigest.of(wanted, options.force() ? "force" : "");
        AppliedMemory.Entry last = core.applied().get(place);
        Optional<T> same = Optional.empty();
        if (last == null) {
            same = read(object, kind, key)
                    .flatMap(now -> former.find(object, wanted, now, place))
                    .map(now -> remember(now, wanted, place, digest));
        } else if (last.wanted().equals(digest)) {
            same = read(object, kind, key).filter(now -> isSame(now, wanted, last));
        }
        return same.map(now -> new ApplyResult<>(now, false))
                .orElseGet(() -> new ApplyResult<>(apply(object, options, wanted, place, digest), true));
    }

    private <T extends HasMetadata> T apply(
            T object, ApplyOptions options, ObjectNode wanted, AppliedMemory.Place place, JsonDigest.Value digest) {
        // If the answer is lost, nothing is known any more.
        core.applied().forget(place);
        return remember(writer.apply(object, options), wanted, place, digest);
    }

    private <T extends HasMetadata> T remember(
            T now, ObjectNode wanted, AppliedMemory.Place place, JsonDigest.Value digest) {
        core.applied()
                .put(
                        place,
                        new AppliedMemory.Entry(
                                digest,
                                Objects.requireNonNullElse(now.getMetadata().getUid(), ""),
                                Objects.requireNonNullElse(now.getMetadata().getResourceVersion(), ""),
                                digestOfGiven(now, wanted)));
        return now;
    }

    private <T extends HasMetadata> Optional<T> read(T object, KindInfo kind, ObjectKey key) {
        try {
            if (object instanceof GenericKubernetesResource) {
                return reader.get(kind.kind(), key)
                        .map(now -> ServerWriter.typeOf(object).cast(now));
            }
            return reader.get(ServerWriter.typeOf(object), key);
        } catch (UndecodableObjectException e) {
            return Optional.empty();
        }
    }

    private boolean isSame(HasMetadata now, ObjectNode wanted, AppliedMemory.Entry last) {
        if (!last.uid().equals(now.getMetadata().getUid()) || now.getMetadata().getDeletionTimestamp() != null) {
            return false;
        }
        return last.resourceVersion().equals(now.getMetadata().getResourceVersion())
                || last.got().equals(digestOfGiven(now, wanted));
    }

    private JsonDigest.Value digestOfGiven(HasMetadata now, ObjectNode wanted) {
        return JsonDigest.ofMasked(core.codec().tree(now), ApplyTrees.given(wanted));
    }
}
