package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * References to owners as an entry keeps them: the uid as a number, and what many owners have in common once. Objects
 * nearly always have one owner, so several are a chain. Immutable.
 */
final class PackedOwner {

    private final Type type;
    private final String name;
    private final long uidHigh;
    private final long uidLow;
    /** The uid if it is not a usual one. */
    private final @Nullable String oddUid;

    private final @Nullable PackedOwner next;

    /** What owners of one kind have in common. */
    record Type(String apiVersion, String kind, boolean controller) {}

    /**
     * Creates it.
     *
     * @param next the owners after this one
     */
    PackedOwner(Type type, String name, String uid, @Nullable PackedOwner next) {
        boolean uuid = Compact.isUuid(uid);
        this.type = type;
        this.name = name;
        this.uidHigh = uuid ? Compact.uuidHalf(uid, 0) : 0;
        this.uidLow = uuid ? Compact.uuidHalf(uid, 1) : 0;
        this.oddUid = uuid ? null : uid;
        this.next = next;
    }

    /** This one and all after it. */
    List<OwnerRef> unpack() {
        if (next == null) {
            return List.of(unpackFirst());
        }
        List<OwnerRef> all = new ArrayList<>();
        for (PackedOwner owner = this; owner != null; owner = owner.next) {
            all.add(owner.unpackFirst());
        }
        return List.copyOf(all);
    }

    private OwnerRef unpackFirst() {
        String uid = oddUid != null ? oddUid : new UUID(uidHigh, uidLow).toString();
        return new OwnerRef(type.apiVersion, type.kind, name, uid, type.controller);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PackedOwner owner
                && uidLow == owner.uidLow
                && uidHigh == owner.uidHigh
                && Objects.equals(oddUid, owner.oddUid)
                && name.equals(owner.name)
                && type.equals(owner.type)
                && Objects.equals(next, owner.next);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(uidLow ^ uidHigh) + 31 * name.hashCode();
    }
}
