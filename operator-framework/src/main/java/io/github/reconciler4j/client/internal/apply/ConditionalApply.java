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
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import io.github.reconciler4j.client.internal.write.ServerWriter;
import io.github.reconciler4j.client.internal.write.WriteCalls;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LruMap;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies an object unless it is known that the apply would change nothing. That is known in two cases. Either this program has
 * applied the same tree, and the fields that it set have not changed since: {@link Memory} holds digests of both. Or a previous
 * run of the program has applied exactly the same, which the {@code managedFields} of the object show: see
 * {@link PreviousApply}. In case of doubt the apply is sent. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ConditionalApply {

    private final ClientCore core;
    private final Memory memory;
    private final @Nullable Reader cache;
    private final Reader live;
    private final PreviousApply previous;

    /**
     * Create it.
     *
     * @param memory what was applied last
     * @param cache where the current state is read if it is there, null to read the server
     */
    public ConditionalApply(ClientCore core, Memory memory, @Nullable Reader cache, Reader live) {
        this.core = core;
        this.memory = memory;
        this.cache = cache;
        this.live = live;
        this.previous = new PreviousApply(core);
    }

    /** Apply an object; see {@link io.github.reconciler4j.client.Writer#applyWithOutcome(HasMetadata, ApplyOptions)}. */
    public <T extends HasMetadata> OperationResult<T> run(T object, ApplyOptions options) {
        KindInfo kind = core.kindOf(object);
        WriteCalls calls = new WriteCalls(core);
        ObjectNode tree = ApplyTrees.forObject(calls.tree(object, kind), options);
        Class<T> type = ObjectCodec.typeOf(object);
        if (core.isDryRun(options.write().dryRun())) {
            return ServerWriter.apply(core, kind, tree, type, options);
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
        OperationResult<T> result = ServerWriter.apply(core, kind, tree, type, options);
        remember(result.object(), wanted, place, digest);
        return result;
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

    /**
     * Digests of JSON that do not depend on the order of members: SipHash-2-4 of 128 bits. Its key is random, so objects of equal
     * digests cannot be made on purpose, and digests of two processes differ. SHA-256 takes four times as long without the second
     * compiler of the JVM.
     */
    static final class JsonDigest {

        private static final long FIRST_KEY;
        private static final long SECOND_KEY;

        static {
            SecureRandom random = new SecureRandom();
            FIRST_KEY = random.nextLong();
            SECOND_KEY = random.nextLong();
        }

        /** A multiple of a word. */
        private static final int BUFFER_SIZE = 512;

        private final byte[] buffer = new byte[BUFFER_SIZE];
        private int length;
        private long total;
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        JsonDigest(long firstKey, long secondKey) {
            this.v0 = firstKey ^ 0x736f6d6570736575L;
            this.v1 = secondKey ^ 0x646f72616e646f6dL ^ 0xee; // 0xee and 0xdd below are those of the form of 128 bits
            this.v2 = firstKey ^ 0x6c7967656e657261L;
            this.v3 = secondKey ^ 0x7465646279746573L;
        }

        private JsonDigest() {
            this(FIRST_KEY, SECOND_KEY);
        }

        /** Return the digest of a tree and a text. */
        static Value of(JsonNode tree, String text) {
            JsonDigest digest = new JsonDigest();
            digest.text(text);
            digest.node(tree);
            return digest.value();
        }

        /**
         * Return the digest of those parts of {@code actual} that {@code mask} has too, to compare it with others of the same mask.
         * Members of objects are compared by name; everything else, lists included, is taken as a whole from {@code actual}.
         */
        static Value ofMasked(JsonNode actual, JsonNode mask) {
            JsonDigest digest = new JsonDigest();
            digest.masked(actual, mask);
            return digest.value();
        }

        /** Return the digest of all bytes so far, and take no more. */
        Value value() {
            Arrays.fill(buffer, length, length + Long.BYTES - length % Long.BYTES, (byte) 0);
            length += Long.BYTES - length % Long.BYTES;
            buffer[length - 1] = (byte) total;
            absorb();
            v2 ^= 0xee;
            long high = finish();
            v1 ^= 0xdd;
            return new Value(high, finish());
        }

        private long finish() {
            rounds(2);
            rounds(2);
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void absorb() {
            for (int i = 0; i < length; i += Long.BYTES) {
                long word = word(i);
                v3 ^= word;
                rounds(2);
                v0 ^= word;
            }
            length = 0;
        }

        private long word(int start) {
            long word = 0;
            for (int i = start + Long.BYTES - 1; i >= start; i--) {
                word = word << Byte.SIZE | buffer[i] & 0xFF;
            }
            return word;
        }

        private void rounds(int count) {
            long a = v0;
            long b = v1;
            long c = v2;
            long d = v3;
            for (int i = 0; i < count; i++) {
                a += b;
                b = Long.rotateLeft(b, 13) ^ a;
                a = Long.rotateLeft(a, 32);
                c += d;
                d = Long.rotateLeft(d, 16) ^ c;
                a += d;
                d = Long.rotateLeft(d, 21) ^ a;
                c += b;
                b = Long.rotateLeft(b, 17) ^ c;
                c = Long.rotateLeft(c, 32);
            }
            v0 = a;
            v1 = b;
            v2 = c;
            v3 = d;
        }

        private void masked(@Nullable JsonNode actual, JsonNode mask) {
            if (actual == null || !actual.isObject() || !mask.isObject()) {
                node(actual);
                return;
            }
            put('{'); // names and end are those of the mask
            for (String name : names(mask)) {
                masked(actual.get(name), mask.path(name));
            }
        }

        private void node(@Nullable JsonNode node) {
            if (node == null || node.isNull()) {
                put('0');
            } else if (node.isObject()) {
                put('{');
                for (String name : names(node)) {
                    text(name);
                    node(node.get(name));
                }
                put('}');
            } else if (node.isArray()) {
                put('[');
                node.forEach(this::node);
                put(']');
            } else {
                put(node.isTextual() ? 's' : 'v');
                text(node.asText());
            }
        }

        void put(int value) {
            total++;
            buffer[length++] = (byte) value;
            if (length == BUFFER_SIZE) {
                absorb();
            }
        }

        void put(byte[] bytes) {
            total += bytes.length;
            for (int from = 0; from < bytes.length; ) {
                int count = Math.min(BUFFER_SIZE - length, bytes.length - from);
                System.arraycopy(bytes, from, buffer, length, count);
                length += count;
                from += count;
                if (length == BUFFER_SIZE) {
                    absorb();
                }
            }
        }

        private void text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                put(bytes.length >> shift);
            }
            put(bytes);
        }

        private static List<String> names(JsonNode object) {
            List<String> names = new ArrayList<>(object.size());
            object.fieldNames().forEachRemaining(names::add);
            Collections.sort(names);
            return names;
        }

        /**
         * A digest.
         *
         * @param high the first half
         * @param low the second half
         */
        record Value(long high, long low) {}
    }
}
