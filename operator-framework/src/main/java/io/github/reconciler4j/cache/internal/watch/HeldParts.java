package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.Partition;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parts that a cache holds since one change of them. Immutable; identity is equality.
 *
 * <p>The term of a part is the number of the change with which it was gained. A part that was lost and gained again has
 * another term, so that a reflector that did not notice the loss in time does not take it for one that was held throughout.
 *
 * @since 0.1.0
 */
public final class HeldParts {

    private static final long NOT_HELD = -1;

    private final Partition partition;
    private final long change;
    private final long[] terms;

    private HeldParts(Partition partition, long change, long[] terms) {
        this.partition = partition;
        this.change = change;
        this.terms = terms;
    }

    /** Return the parts that a cache starts with. */
    public static HeldParts initial(Partition partition) {
        long[] terms = new long[partition.count()];
        Arrays.fill(terms, NOT_HELD);
        return new HeldParts(partition, -1, terms).change(partition);
    }

    /**
     * Return what is held after a change.
     *
     * @throws IllegalArgumentException if objects are divided in another way, other than by borders while no part is held
     */
    public HeldParts change(Partition to) {
        if (to.count() != partition.count() || to.serverNamespaces() != partition.serverNamespaces()) {
            throw new IllegalArgumentException(
                    "The number of parts and the hash of namespaces cannot be changed: " + to + " after " + partition);
        }
        if (!partition.held().isEmpty() && !to.namespaceBorders().equals(partition.namespaceBorders())) {
            throw new IllegalArgumentException(
                    "The borders of namespaces cannot be changed while " + partition + " are held");
        }
        long next = change + 1;
        long[] changed = terms.clone();
        for (int part = 0; part < changed.length; part++) {
            if (!to.isHeld(part)) {
                changed[part] = NOT_HELD;
            } else if (changed[part] == NOT_HELD) {
                changed[part] = next;
            }
        }
        return new HeldParts(to, next, changed);
    }

    /** Return the partition. */
    public Partition partition() {
        return partition;
    }

    /** Return the number of the change, which later changes exceed. */
    public long change() {
        return change;
    }

    /** Return whether a part was held before, and is since then. */
    boolean isKept(int part, HeldParts before) {
        return terms[part] != NOT_HELD && terms[part] == before.terms[part];
    }

    /** Return whether a part is held that was not held before, or was lost since. */
    boolean gains(HeldParts before) {
        for (int part = 0; part < terms.length; part++) {
            if (gains(part, before)) {
                return true;
            }
        }
        return false;
    }

    /** Return those parts alone that are held and were not held before, or were lost since. */
    HeldParts gained(HeldParts before) {
        Set<Integer> gained = new TreeSet<>(partition.held());
        gained.removeIf(part -> !gains(part, before));
        return new HeldParts(partition.withHeld(gained), change, terms);
    }

    boolean gains(int part, HeldParts before) {
        return terms[part] != NOT_HELD && terms[part] != before.terms[part];
    }
}
