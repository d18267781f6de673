package io.github.reconciler4j.cache.internal.json;

import io.github.reconciler4j.cache.internal.json.HeaderReader.Interner;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
    private record Type(String apiVersion, String kind, boolean controller, boolean blocking) {}

    private PackedOwners(Type type, String name, String uid, @Nullable PackedOwners next) {
        UUID uuid = Packing.uuid(uid);
        this.type = type;
        this.name = name;
        this.uidHigh = uuid == null ? 0 : uuid.getMostSignificantBits();
        this.uidLow = uuid == null ? 0 : uuid.getLeastSignificantBits();
        this.otherUid = uuid == null ? uid : null;
        this.next = next;
    }

    static @Nullable PackedOwners of(List<OwnerRef> owners, Collection<String> blocked, Interner interner) {
        PackedOwners packed = null;
        for (int i = owners.size() - 1; i >= 0; i--) {
            OwnerRef owner = owners.get(i);
            Type type = interner.share(
                    new Type(owner.apiVersion(), owner.kind(), owner.controller(), blocked.contains(owner.uid())));
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
        return new OwnerRef(type.apiVersion, type.kind, name, unpackUid(), type.controller);
    }

    private String unpackUid() {
        return otherUid != null ? otherUid : new UUID(uidHigh, uidLow).toString();
    }

    /** Return the uids of the owners that a foreground deletion keeps until the object is gone. */
    public Set<String> blocked() {
        Set<String> uids = new HashSet<>();
        for (PackedOwners owner = this; owner != null; owner = owner.next) {
            if (owner.type.blocking) {
                uids.add(owner.unpackUid());
            }
        }
        return Set.copyOf(uids);
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
