package io.github.reconciler4j.cache.internal.json;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Owner references as an entry keeps them: the uid as a number, and what many owners have in common once. Nearly every
 * object has one owner, so several form a chain. Immutable.
 *
 * @since 0.1.0
 */
public final class PackedOwners {

    private final Type type;
    private final String name;
    private final long uidHigh;
    private final long uidLow;
    /** The uid if it is no UUID. */
    private final @Nullable String otherUid;

    private final @Nullable PackedOwners next;

    /** What owners of one kind have in common. */
    private record Type(String apiVersion, String kind, boolean controller) {}

    private PackedOwners(Type type, String name, String uid, @Nullable PackedOwners next) {
        UUID uuid = Packing.uuid(uid);
        this.type = type;
        this.name = name;
        this.uidHigh = uuid == null ? 0 : uuid.getMostSignificantBits();
        this.uidLow = uuid == null ? 0 : uuid.getLeastSignificantBits();
        this.otherUid = uuid == null ? uid : null;
        this.next = next;
    }

    static @Nullable PackedOwners of(List<OwnerRef> owners, Interner interner) {
        PackedOwners packed = null;
        for (int i = owners.size() - 1; i >= 0; i--) {
            OwnerRef owner = owners.get(i);
            Type type = interner.share(new Type(owner.apiVersion(), owner.kind(), owner.controller()));
            packed = interner.share(new PackedOwners(type, owner.name(), owner.uid(), packed));
        }
        return packed;
    }

    /** Return the owner references. */
    public List<OwnerRef> unpack() {
        if (next == null) {
            return List.of(unpackFirst());
        }
        List<OwnerRef> all = new ArrayList<>();
        for (PackedOwners owner = this; owner != null; owner = owner.next) {
            all.add(owner.unpackFirst());
        }
        return List.copyOf(all);
    }

    private OwnerRef unpackFirst() {
        String uid = otherUid != null ? otherUid : new UUID(uidHigh, uidLow).toString();
        return new OwnerRef(type.apiVersion, type.kind, name, uid, type.controller);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PackedOwners owner
                && uidLow == owner.uidLow
                && uidHigh == owner.uidHigh
                && Objects.equals(otherUid, owner.otherUid)
                && name.equals(owner.name)
                && type.equals(owner.type)
                && Objects.equals(next, owner.next);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(uidLow ^ uidHigh) + 31 * name.hashCode();
    }
}
