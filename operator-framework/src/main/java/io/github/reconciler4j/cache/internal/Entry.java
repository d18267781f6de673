package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One object as the store keeps it: its metadata, packed, and its encoded body. Immutable; identity is equality. The
 * fields hold what nearly every object has, {@link Odd} what is seldom or does not have the usual form.
 */
final class Entry implements ObjectHeader {

    /** The entry itself, its node in the store, and the arrays of labels and annotations. */
    private static final int OWN_BYTES = 80 + 40 + 32;

    private static final int TEXT_BYTES = 40;
    private static final int REFERENCE_BYTES = 4;
    private static final int OWNER_BYTES = 48 + TEXT_BYTES + 16;
    private static final int ODD_BYTES = 48;

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
    private final @Nullable PackedOwner owners;
    private final @Nullable Odd odd;
    private final Object body;
    private final BodyForm form;

    Entry(HeaderDraft draft, Object body, BodyForm form) {
        namespace = draft.namespace;
        name = draft.name;
        boolean uuid = Compact.isUuid(draft.uid);
        uidHigh = uuid ? Compact.uuidHalf(draft.uid, 0) : 0;
        uidLow = uuid ? Compact.uuidHalf(draft.uid, 1) : 0;
        version = Compact.number(draft.version);
        created = Compact.time(draft.created);
        boolean small = draft.generation >= 0 && draft.generation <= Integer.MAX_VALUE;
        generation = small ? (int) draft.generation : -1;
        labels = draft.labels;
        annotations = draft.annotations;
        finalizers = draft.finalizers;
        owners = draft.owners;
        odd = Odd.of(draft, uuid, version >= 0, created != Compact.NO_TIME, small);
        this.body = body;
        this.form = form;
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    /** The object's JSON; made anew on each call. */
    byte[] json() {
        return form.decode(body);
    }

    /** What the form keeps of the body. */
    Object body() {
        return body;
    }

    /** How many bytes the body takes as it is kept. */
    int bodyBytes() {
        return body instanceof SharedBody shared ? shared.bytes() : body instanceof byte[] bytes ? bytes.length : 0;
    }

    /** How many bytes the rest takes, more or less: strings that are probably shared do not count. */
    int headerBytes() {
        int bytes = OWN_BYTES + TEXT_BYTES + name.length() + REFERENCE_BYTES * (labels.length + annotations.length);
        for (String text : annotations) {
            bytes += text.length() > StringPool.LONGEST ? TEXT_BYTES + text.length() : 0;
        }
        return bytes + (owners == null ? 0 : OWNER_BYTES) + (odd == null ? 0 : ODD_BYTES);
    }

    /** How the body is kept. */
    BodyForm form() {
        return form;
    }

    /** Whether it is the same state of the same object as the one being read. */
    boolean isAt(HeaderDraft draft) {
        boolean sameVersion = version >= 0
                ? version == Compact.number(draft.version)
                : resourceVersion().equals(draft.version);
        return sameVersion && hasUid(draft.uid);
    }

    /** A server that was set back gives versions a second time. */
    private boolean hasUid(String other) {
        if (odd != null && odd.uid != null) {
            return odd.uid.equals(other);
        }
        return Compact.isUuid(other) && uidHigh == Compact.uuidHalf(other, 0) && uidLow == Compact.uuidHalf(other, 1);
    }

    /** Whether both are states of one object, and not of two that have the same name one after the other. */
    boolean sameObject(Entry other) {
        return uidHigh == other.uidHigh && uidLow == other.uidLow && uid().equals(other.uid());
    }

    /** The value of a label, null if it has none of that name. */
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
        return odd != null && odd.uid != null ? odd.uid : new UUID(uidHigh, uidLow).toString();
    }

    @Override
    public String resourceVersion() {
        return odd != null && odd.version != null ? odd.version : Long.toString(version);
    }

    @Override
    public long generation() {
        return odd == null || generation >= 0 ? generation : odd.generation;
    }

    @Override
    public Map<String, String> labels() {
        return SmallMap.of(labels);
    }

    @Override
    public Map<String, String> annotations() {
        return SmallMap.of(annotations);
    }

    @Override
    public List<OwnerRef> ownerReferences() {
        return owners == null ? List.of() : owners.unpack();
    }

    @Override
    public List<String> finalizers() {
        return List.of(finalizers);
    }

    @Override
    public String creationTimestamp() {
        return odd != null && odd.created != null ? odd.created : Compact.time(created);
    }

    @Override
    public @Nullable String deletionTimestamp() {
        return odd == null ? null : odd.deletion;
    }

    /** Names the object, never its content. */
    @Override
    public String toString() {
        return (namespace.isEmpty() ? name : namespace + "/" + name) + "@" + resourceVersion();
    }

    /** What most objects do not have. Texts are null where the packed form holds them. */
    private record Odd(
            long generation,
            @Nullable String deletion,
            @Nullable String uid,
            @Nullable String version,
            @Nullable String created) {

        static @Nullable Odd of(HeaderDraft draft, boolean uuid, boolean number, boolean time, boolean small) {
            if (uuid && number && time && small && draft.deletion == null) {
                return null;
            }
            return new Odd(
                    draft.generation,
                    draft.deletion,
                    uuid ? null : draft.uid,
                    number ? null : draft.version,
                    time ? null : draft.created);
        }
    }
}
