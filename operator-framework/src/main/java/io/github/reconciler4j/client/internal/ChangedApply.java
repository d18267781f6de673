package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies an object unless it is known that this would change nothing. */
final class ChangedApply {

    private final ClientCore core;
    private final @Nullable Reader cache;
    private final Reader live;
    private final ServerWriter writer;
    private final WriteCalls calls;
    private final FormerApply former;

    /**
     * Creates it.
     *
     * @param cache where the present state is read if it is there; null for the server
     */
    ChangedApply(ClientCore core, @Nullable Reader cache, Reader live, ServerWriter writer) {
        this.core = core;
        this.cache = cache;
        this.live = live;
        this.writer = writer;
        this.calls = new WriteCalls(core);
        this.former = new FormerApply(core);
    }

    <T extends HasMetadata> OperationResult<T> run(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode wanted = ApplyTrees.forObject(calls.tree(object, kind), options);
        if (options.optimisticLock() || core.isDryRun(options.write().dryRun())) {
            return writer.apply(kind, wanted, ServerWriter.typeOf(object), options);
        }
        ObjectKey key = WriteCalls.keyOf(wanted, kind);
        AppliedMemory.Place place = new AppliedMemory.Place(kind.kind(), key, calls.fieldManager(options.write()));
        JsonDigest.Value digest = JsonDigest.of(wanted, options.force() ? "force" : "");
        AppliedMemory.Entry last = core.applied().get(place);
        Optional<T> same = Optional.empty();
        boolean isCached = isCached(kind, key);
        if (last == null && isCached) {
            same = readCached(object, kind, key)
                    .flatMap(now -> former.find(object, wanted, now, place))
                    .map(now -> remember(now, wanted, place, digest));
        } else if (last == null) {
            same = former.find(object, wanted, null, place).map(now -> remember(now, wanted, place, digest));
        } else if (last.wanted().equals(digest)) {
            same = (isCached ? readCached(object, kind, key) : readLive(object, kind, key))
                    .filter(now -> isSame(now, wanted, last));
        }
        if (same.isPresent()) {
            return new OperationResult<>(same.get(), Outcome.UNCHANGED);
        }
        core.applied().forget(place); // if the response is lost, the state is unknown
        OperationResult<T> result = writer.apply(kind, wanted, ServerWriter.typeOf(object), options);
        remember(result.object(), wanted, place, digest);
        return result;
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

    /** An apply neither starts a watch nor waits for one. */
    private boolean isCached(KindInfo kind, ObjectKey key) {
        return cache != null
                && !core.options().uncached().contains(kind.kind())
                && (!(cache instanceof ReadYourWritesReader reader) || reader.isSynced(kind, key.namespace()));
    }

    private <T extends HasMetadata> Optional<T> readCached(T object, KindInfo kind, ObjectKey key) {
        try {
            return read(Objects.requireNonNull(cache), object, kind, key);
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (UndecodableObjectException e) {
            return Optional.empty();
        } catch (RuntimeException e) { // the kind has been released, or its namespaces have changed, just now
            return readLive(object, kind, key);
        }
    }

    private <T extends HasMetadata> Optional<T> readLive(T object, KindInfo kind, ObjectKey key) {
        try {
            return read(live, object, kind, key);
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ApiException e) { // for example without the permission to read
            return Optional.empty();
        }
    }

    private static <T extends HasMetadata> Optional<T> read(Reader reader, T object, KindInfo kind, ObjectKey key) {
        return object instanceof GenericKubernetesResource
                ? reader.get(kind.kind(), key)
                        .map(now -> ServerWriter.typeOf(object).cast(now))
                : reader.get(ServerWriter.typeOf(object), key);
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
