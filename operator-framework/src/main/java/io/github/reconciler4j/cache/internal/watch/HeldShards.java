package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.CachedShards;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The shards that a cache holds since one change of them. Immutable; identity is equality.
 *
 * <p>The term of a shard is the number of the change with which it was gained. A shard that was lost and gained again has
 * another term, so that a reflector that did not notice the loss in time does not take it for one that was held throughout.
 *
 * @since 0.1.0
 */
public final class HeldShards {

    private static final long NOT_HELD = -1;

    private final CachedShards shards;
    private final long change;
    private final long[] terms;

    private HeldShards(CachedShards shards, long change, long[] terms) {
        this.shards = shards;
        this.change = change;
        this.terms = terms;
    }

    /** Return the shards that a cache starts with. */
    public static HeldShards initial(CachedShards shards) {
        long[] terms = new long[shards.count()];
        Arrays.fill(terms, NOT_HELD);
        return new HeldShards(shards, -1, terms).change(shards);
    }

    /**
     * Return what is held after a change.
     *
     * @throws IllegalArgumentException if objects are divided in another way, other than by borders while no shard is held
     */
    public HeldShards change(CachedShards to) {
        if (to.count() != shards.count() || to.serverNamespaces() != shards.serverNamespaces()) {
            throw new IllegalArgumentException(
                    "The number of shards and the hash of namespaces cannot be changed: " + to + " after " + shards);
        }
        if (!shards.held().isEmpty() && !to.namespaceBorders().equals(shards.namespaceBorders())) {
            throw new IllegalArgumentException(
                    "The borders of namespaces cannot be changed while " + shards + " are held");
        }
        long next = change + 1;
        long[] changed = terms.clone();
        for (int shard = 0; shard < changed.length; shard++) {
            if (!to.isHeld(shard)) {
                changed[shard] = NOT_HELD;
            } else if (changed[shard] == NOT_HELD) {
                changed[shard] = next;
            }
        }
        return new HeldShards(to, next, changed);
    }

    /** Return the shards. */
    public CachedShards shards() {
        return shards;
    }

    /** Return the number of the change, which later changes exceed. */
    public long change() {
        return change;
    }

    /** Return whether a shard was held before, and is since then. */
    boolean isKept(int shard, HeldShards before) {
        return terms[shard] != NOT_HELD && terms[shard] == before.terms[shard];
    }

    /** Return whether a shard is held that was not held before, or was lost since. */
    boolean gains(HeldShards before) {
        for (int shard = 0; shard < terms.length; shard++) {
            if (gains(shard, before)) {
                return true;
            }
        }
        return false;
    }

    /** Return those shards alone that are held and were not held before, or were lost since. */
    HeldShards gained(HeldShards before) {
        Set<Integer> gained = new TreeSet<>(shards.held());
        gained.removeIf(shard -> !gains(shard, before));
        return new HeldShards(shards.withHeld(gained), change, terms);
    }

    boolean gains(int shard, HeldShards before) {
        return terms[shard] != NOT_HELD && terms[shard] != before.terms[shard];
    }
}
