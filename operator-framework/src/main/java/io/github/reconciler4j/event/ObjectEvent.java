package io.github.reconciler4j.event;

/**
 * Something that happened to an object, as a watch or a source outside the cluster reports it. Immutable.
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
public sealed interface ObjectEvent<T> {

    /** The object as it is now; for a deletion, as it was last seen. */
    ObjectSnapshot<T> snapshot();

    /**
     * An object came into sight.
     *
     * @param snapshot the object
     * @param initial whether it was there when the watch (or the subscription) began
     */
    record Created<T>(ObjectSnapshot<T> snapshot, boolean initial) implements ObjectEvent<T> {}

    /**
     * An object changed, or is told again by a resync.
     *
     * @param previous the object as it was before
     * @param snapshot the object as it is now
     * @param resync whether nothing changed and this is the periodic repetition
     */
    record Updated<T>(ObjectSnapshot<T> previous, ObjectSnapshot<T> snapshot, boolean resync)
            implements ObjectEvent<T> {}

    /**
     * An object went out of sight.
     *
     * @param snapshot the object as it was last seen
     * @param finalStateUnknown whether the deletion was inferred from a new list, so that the snapshot may be old
     */
    record Deleted<T>(ObjectSnapshot<T> snapshot, boolean finalStateUnknown) implements ObjectEvent<T> {}

    /**
     * Something outside the cluster concerns an object.
     *
     * @param snapshot the object
     */
    record Generic<T>(ObjectSnapshot<T> snapshot) implements ObjectEvent<T> {}
}
