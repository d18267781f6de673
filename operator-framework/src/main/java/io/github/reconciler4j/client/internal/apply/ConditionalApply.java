package io.github.reconciler4j.client.internal.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WrittenVersions;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import io.github.reconciler4j.client.internal.write.WriteCalls;
import io.github.reconciler4j.client.internal.write.WriteSender;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LruMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies an object unless it is known that the apply would change nothing. That is known in two cases. Either this program has
 * applied the same tree, and the fields that it set have not changed since: {@link Memory} holds digests of both. Or a previous
 * run of the program has applied exactly the same, which the {@code managedFields} of the object show: see
 * {@link PreviousApply}. In case of doubt the apply is sent. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ConditionalApply {

    private static final Logger LOG = LoggerFactory.getLogger(ConditionalApply.class);

    private final ClientCore core;
    private final Memory memory;
    private final @Nullable Reader cache;
    private final Reader live;
    private final PreviousApply previous;
    private final WriteSender sender;
    private final WriteCalls calls;

    /**
     * Create it.
     *
     * @param memory what was applied last
     * @param cache where the current state is read if it is there, null to read the server
     */
    public ConditionalApply(WriteSender sender, Memory memory, @Nullable Reader cache, Reader live) {
        this.core = sender.core();
        this.sender = sender;
        this.calls = sender.calls();
        this.memory = memory;
        this.cache = cache;
        this.live = live;
        this.previous = new PreviousApply(core);
    }

    /** Apply an object; see {@link io.github.reconciler4j.client.Writer#applyWithOutcome(HasMetadata, ApplyOptions)}. */
    public <T extends HasMetadata> OperationResult<T> run(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        ObjectNode tree = ApplyTrees.forObject(calls.tree(object, kind), options);
        Class<T> type = ObjectCodec.typeOf(object);
        if (core.isDryRun(options.write().dryRun())) {
            return sender.apply(kind, tree, type, options);
        }
        ApplyIntent<T> wanted = new ApplyIntent<>(
                kind,
                WriteCalls.keyOf(tree, kind),
                type,
                tree,
                ApplyTrees.given(tree),
                calls.fieldManager(options.write()));
        ApplyTarget place = new ApplyTarget(kind.kind(), wanted.key, wanted.fieldManager);
        JsonDigest.Value digest = JsonDigest.of(ApplyTrees.content(tree), Boolean.toString(options.force()));
        Optional<T> same = options.optimisticLock() ? Optional.empty() : findSame(wanted, place, digest);
        if (same.isPresent()) {
            return new OperationResult<>(same.get(), Outcome.UNCHANGED);
        }
        memory.applied.remove(place); // if the response is lost, the state is unknown
        OperationResult<T> result = send(wanted, options);
        remember(result.object(), wanted, place, digest);
        return result;
    }

    /**
     * Send an apply. If the writes of the thread are recorded, it names the known version, so that the answer says what it replaced;
     * an object that has changed since is applied without.
     */
    private <T extends HasMetadata> OperationResult<T> send(ApplyIntent<T> wanted, ApplyOptions options) {
        String version = options.optimisticLock() || !WrittenVersions.areRecorded() ? "" : cachedVersion(wanted);
        if (!version.isEmpty()) {
            ObjectNode locked = wanted.tree.deepCopy();
            locked.withObjectProperty("metadata").put("resourceVersion", version);
            try {
                return sender.apply(wanted.kind, locked, wanted.type, options);
            } catch (ConflictException | NotFoundException e) {
                LOG.debug("{} {} is applied without its version: {}", wanted.kind, wanted.key, e.getMessage());
            }
        }
        return sender.apply(wanted.kind, wanted.tree, wanted.type, options);
    }

    private String cachedVersion(ApplyIntent<?> wanted) {
        try {
            return isCached(wanted.kind, wanted.key)
                    ? Objects.requireNonNull(cache)
                            .get(Kind.of(wanted.kind.kind()).metadata(), wanted.key)
                            .map(ObjectHeader::resourceVersion)
                            .orElse("")
                    : "";
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (RuntimeException e) { // the kind has been released just now
            return "";
        }
    }

    /** Return the current object if the apply would not change it. */
    private <T extends HasMetadata> Optional<T> findSame(
            ApplyIntent<T> wanted, ApplyTarget place, JsonDigest.Value digest) {
        Applied last = memory.applied.get(place);
        boolean isCached = isCached(wanted.kind, wanted.key);
        if (last != null) {
            return last.wanted.equals(digest)
                    ? (isCached ? readCached(wanted) : readLive(wanted)).filter(now -> isSame(now, wanted, last))
                    : Optional.empty();
        }
        Optional<T> same =
                isCached ? readCached(wanted).flatMap(now -> previous.find(wanted, now)) : previous.find(wanted, null);
        same.ifPresent(now -> remember(now, wanted, place, digest));
        return same;
    }

    private <T extends HasMetadata> void remember(
            T now, ApplyIntent<T> wanted, ApplyTarget place, JsonDigest.Value digest) {
        Applied applied = new Applied(
                digest,
                Objects.requireNonNullElse(now.getMetadata().getUid(), ""),
                Objects.requireNonNullElse(now.getMetadata().getResourceVersion(), ""),
                digestOfResult(now, wanted));
        memory.applied.put(place, applied);
    }

    /** An apply neither starts a watch nor waits for one. */
    private boolean isCached(KindInfo kind, ObjectKey key) {
        return cache != null
                && !core.options().uncached().contains(kind.kind())
                && (!(cache instanceof ReadYourWritesReader reader) || reader.isSynced(kind, key.namespace()));
    }

    private <T extends HasMetadata> Optional<T> readCached(ApplyIntent<T> wanted) {
        try {
            return read(Objects.requireNonNull(cache), wanted);
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (UndecodableObjectException e) {
            return Optional.empty();
        } catch (RuntimeException e) { // the kind has been released, or its namespaces have changed, just now
            return readLive(wanted);
        }
    }

    private <T extends HasMetadata> Optional<T> readLive(ApplyIntent<T> wanted) {
        try {
            return read(live, wanted);
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ApiException e) { // for example without the permission to read
            return Optional.empty();
        }
    }

    private static <T extends HasMetadata> Optional<T> read(Reader reader, ApplyIntent<T> wanted) {
        return wanted.type == GenericKubernetesResource.class
                ? reader.get(Kind.of(wanted.kind.kind()), wanted.key).map(wanted.type::cast)
                : reader.get(wanted.type, wanted.key);
    }

    private static boolean isSame(HasMetadata now, ApplyIntent<?> wanted, Applied last) {
        String uid = now.getMetadata().getUid();
        if (!last.uid.equals(uid) || now.getMetadata().getDeletionTimestamp() != null) {
            return false;
        }
        if (!wanted.tree.path("metadata").path("uid").asText(uid).equals(uid)) {
            return false; // it is meant for another object of this name
        }
        return last.resourceVersion.equals(now.getMetadata().getResourceVersion())
                || last.result != null && last.result.equals(digestOfGiven(now, wanted));
    }

    /** Return the digest of what an apply has set; null if the server does not return all of it. */
    private static JsonDigest.@Nullable Value digestOfResult(HasMetadata now, ApplyIntent<?> wanted) {
        ObjectNode tree = ObjectCodec.tree(now);
        return returnsAll(tree, wanted.given) ? JsonDigest.ofMasked(tree, wanted.given) : null;
    }

    /** Return whether an object has everything that was given. Servers leave out what is empty, zero or false. */
    private static boolean returnsAll(JsonNode actual, JsonNode given) {
        if (given.isObject()) {
            for (Map.Entry<String, JsonNode> member : given.properties()) {
                if (!returnsAll(actual.path(member.getKey()), member.getValue())) {
                    return false;
                }
            }
            return true;
        }
        return !actual.isMissingNode() || isZero(given);
    }

    private static boolean isZero(JsonNode value) {
        return value.isNull()
                || value.isArray() && value.isEmpty()
                || value.isTextual() && value.textValue().isEmpty()
                || value.isBoolean() && !value.booleanValue()
                || value.isNumber() && value.doubleValue() == 0;
    }

    private static JsonDigest.Value digestOfGiven(HasMetadata now, ApplyIntent<?> wanted) {
        return JsonDigest.ofMasked(ObjectCodec.tree(now), wanted.given);
    }

    /**
     * An object to apply.
     *
     * @param tree the body of the apply
     * @param given what the apply sets; see {@link ApplyTrees#given}
     */
    record ApplyIntent<T extends HasMetadata>(
            KindInfo kind, ObjectKey key, Class<T> type, ObjectNode tree, ObjectNode given, String fieldManager) {}

    /**
     * What a client and those derived from it have applied last, by object and field manager. Holds the 50,000 entries that
     * were used last. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class Memory {

        private static final int SIZE = 50_000;

        private final LruMap<ApplyTarget, Applied> applied = new LruMap<>(SIZE);

        /** Create an empty memory. */
        public Memory() {}
    }

    /** An object and the field manager that applied it. */
    private record ApplyTarget(KindName kind, ObjectKey key, String fieldManager) {}

    /**
     * What was applied, and the result.
     *
     * @param wanted the digest of the body without uid and version
     * @param uid the uid of the object
     * @param resourceVersion the version of the object after the apply
     * @param result the digest of those fields of the object after the apply that the apply set; null if the server did not
     *     return one of them, so that a change of it would not be seen and the object counts as the same in this version only
     */
    private record Applied(
            JsonDigest.Value wanted, String uid, String resourceVersion, JsonDigest.@Nullable Value result) {}
}
