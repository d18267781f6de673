package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * In which namespaces a kind is to be watched. {@link KindSlot} guards everything by its lock; the volatile field may
 * also be read without it.
 */
final class NamespacePlan {

    private final KindInfo info;
    private final Supplier<KindSlot> namespaceKind;
    private volatile CachedNamespaces wanted;
    private volatile boolean fixed;
    private @Nullable NamespaceFollower follower;

    /**
     * Creates it.
     *
     * @param namespaceKind gives the place of the kind Namespace; asked for if namespaces are chosen by their labels
     */
    NamespacePlan(KindInfo info, CachedNamespaces wanted, Supplier<KindSlot> namespaceKind) {
        this.info = info;
        this.wanted = wanted;
        this.namespaceKind = namespaceKind;
        this.fixed = !wanted.isFollowed();
    }

    /** Whether a namespace that is not watched is a mistake, and not just one that is not watched any more. */
    boolean isFixed() {
        return fixed;
    }

    /** Plans anew; to be followed by {@link #watch}. */
    void change(CachedNamespaces newWanted) {
        wanted = newWanted;
        fixed = false;
    }

    /** Has a kind watched according to plan; returns what follows namespaces, to be passed to {@link #follow}. */
    @Nullable
    NamespaceFollower watch(KindCache kind) {
        if (wanted.isFollowed() && info.namespaced()) {
            return new NamespaceFollower(kind, wanted, namespaceKind.get());
        }
        kind.watch(wanted, Set.of());
        return null;
    }

    void follow(@Nullable NamespaceFollower newFollower) {
        follower = newFollower;
    }

    /** What follows namespaces, if anything does, to be closed by the caller under no lock, as that waits. */
    @Nullable
    NamespaceFollower takeFollower() {
        NamespaceFollower taken = follower;
        follower = null;
        return taken;
    }
}
