package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.MutableHeader.ArrayMap;
import io.github.reconciler4j.cache.internal.json.PackedOwners;
import io.github.reconciler4j.cache.internal.json.Packing;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One state of one object as the store keeps it: its packed metadata and its encoded body. Immutable; identity is equality.
 * The fields hold what nearly every object has, {@link UncommonFields} what is rare or does not have the usual form.
 *
 * @since 0.1.0
 */
public final class Entry implements ObjectHeader {

    /** The entry itself, its node in the store, and the arrays of labels and annotations. */
    private static final int OWN_BYTES = 80 + 40 + 32;

    private static final long MIXER = 0x9E3779B97F4A7C15L;
    private static final int MULTIPLIER = 31;
    private static final int TEXT_BYTES = 40;
    private static final int REFERENCE_BYTES = 4;
    private static final int OWNER_BYTES = 48 + TEXT_BYTES + 16;
    private static final int UNCOMMON_BYTES = 48;

    private final String namespace;
    private final String name;
    private final long uidHigh;
    private final long uidLow;
    private final long version;
    private final int created;
    private final int generation;
    private final String[] labels;
    private final String[] annotations;
    private final String[] finalizers;
    private final @Nullable PackedOwners owners;
    private final @Nullable UncommonFields uncommon;
    private final Object body;
    private final BodyForm form;

    /** Create an entry of a header, whose arrays it keeps, and a body in a form. */
    public Entry(MutableHeader header, Object body, BodyForm form) {
        namespace = header.namespace();
        name = header.name();
        UUID uuid = Packing.uuid(header.uid());
        uidHigh = uuid == null ? 0 : uuid.getMostSignificantBits();
        uidLow = uuid == null ? 0 : uuid.getLeastSignificantBits();
        version = Packing.number(header.version());
        created = Packing.time(header.created());
        boolean small = header.generation() >= 0 && header.generation() <= Integer.MAX_VALUE;
        generation = small ? (int) header.generation() : -1;
        labels = header.labels();
        annotations = header.annotations();
        finalizers = header.finalizers();
        owners = header.owners();
        uncommon = UncommonFields.of(header, uuid != null, version >= 0, created != Packing.NO_TIME, small);
        this.body = body;
        this.form = form;
    }

    /** Return the namespace, {@code ""} for a cluster-scoped object. */
    public String namespace() {
        return namespace;
    }

    /** Return the name. */
    public String name() {
        return name;
    }

    /** Return the JSON of the object; a new array on each call. */
    public byte[] json() {
        return form.decode(body);
    }

    /** Return what the form keeps of the body. */
    Object body() {
        return body;
    }

    /** Return whether there is a body, and not only metadata. */
    public boolean hasBody() {
        return form != BodyForm.NONE;
    }

    /** Return the number of bytes of the encoded body. */
    public int bodyBytes() {
        return body instanceof SharedBody shared ? shared.bytes() : body instanceof byte[] bytes ? bytes.length : 0;
    }

    /** Return the estimated number of bytes of the header, without strings that are probably shared. */
    public int headerBytes() {
        int bytes = OWN_BYTES + TEXT_BYTES + name.length() + REFERENCE_BYTES * (labels.length + annotations.length);
        for (String text : annotations) {
            bytes += text.length() > StringInterner.MAX_LENGTH ? TEXT_BYTES + text.length() : 0;
        }
        return bytes + (owners == null ? 0 : OWNER_BYTES) + (uncommon == null ? 0 : UNCOMMON_BYTES);
    }

    BodyForm form() {
        return form;
    }

    /** Return a number that other states of this object and of others are not likely to have; even, and never 0. */
    int mark() {
        int mark = Long.hashCode((uidLow + version) * MIXER) * MULTIPLIER + name.hashCode();
        return mark >>> 1 == 0 ? 2 : mark & ~1;
    }

    /** Return whether this is the same state of the same object. A server that was restored reuses versions. */
    public boolean isAt(MutableHeader header) {
        boolean sameVersion = version >= 0
                ? version == Packing.number(header.version())
                : resourceVersion().equals(header.version());
        return sameVersion && hasUid(header.uid());
    }

    private boolean hasUid(String uid) {
        String unpacked = unpackedUid();
        if (unpacked != null) {
            return unpacked.equals(uid);
        }
        UUID uuid = Packing.uuid(uid);
        return uuid != null && uuid.getMostSignificantBits() == uidHigh && uuid.getLeastSignificantBits() == uidLow;
    }

    /** Return the uid if it is no UUID, otherwise null. */
    private @Nullable String unpackedUid() {
        return uncommon == null ? null : uncommon.uid;
    }

    /** Return whether both are states of one object, and not of two that had the same name one after the other. */
    public boolean isSameObject(Entry other) {
        return uidHigh == other.uidHigh && uidLow == other.uidLow && Objects.equals(unpackedUid(), other.unpackedUid());
    }

    /** Return whether both have the same state and metadata, so that they differ at most in their bodies. */
    public boolean hasSameHeader(Entry other) {
        return isSameObject(other)
                && resourceVersion().equals(other.resourceVersion())
                && Arrays.equals(labels, other.labels)
                && Arrays.equals(annotations, other.annotations)
                && Arrays.equals(finalizers, other.finalizers)
                && Objects.equals(owners, other.owners);
    }

    /** Return the value of a label, null if it has none of that name. */
    @Nullable
    String label(String key) {
        for (int i = 0; i < labels.length; i += 2) {
            if (labels[i].equals(key)) {
                return labels[i + 1];
            }
        }
        return null;
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    @Override
    public String uid() {
        String unpacked = unpackedUid();
        return unpacked != null ? unpacked : new UUID(uidHigh, uidLow).toString();
    }

    @Override
    public String resourceVersion() {
        return uncommon != null && uncommon.version != null ? uncommon.version : Long.toString(version);
    }

    @Override
    public long generation() {
        return uncommon == null || generation >= 0 ? generation : uncommon.generation;
    }

    @Override
    public Map<String, String> labels() {
        return ArrayMap.of(labels);
    }

    @Override
    public Map<String, String> annotations() {
        return ArrayMap.of(annotations);
    }

    @Override
    public List<OwnerRef> ownerReferences() {
        return owners == null ? List.of() : owners.unpack();
    }

    /** Return the uids of the owners that a foreground deletion keeps until the object is gone. */
    public Set<String> blockedOwners() {
        return owners == null ? Set.of() : owners.blocked();
    }

    @Override
    public List<String> finalizers() {
        return List.of(finalizers);
    }

    @Override
    public String creationTimestamp() {
        return uncommon != null && uncommon.created != null ? uncommon.created : Packing.time(created);
    }

    @Override
    public @Nullable String deletionTimestamp() {
        return uncommon == null ? null : uncommon.deletion;
    }

    /** Return the name of the object and its version, never its content. */
    @Override
    public String toString() {
        return (namespace.isEmpty() ? name : namespace + "/" + name) + "@" + resourceVersion();
    }

    /** What most objects do not have. Texts are null where the packed form holds them. */
    private record UncommonFields(
            long generation,
            @Nullable String deletion,
            @Nullable String uid,
            @Nullable String version,
            @Nullable String created) {

        static @Nullable UncommonFields of(
                MutableHeader header, boolean uuid, boolean number, boolean time, boolean small) {
            if (uuid && number && time && small && header.deletion() == null) {
                return null;
            }
            return new UncommonFields(
                    header.generation(),
                    header.deletion(),
                    uuid ? null : header.uid(),
                    number ? null : header.version(),
                    time ? null : header.created());
        }
    }
}
