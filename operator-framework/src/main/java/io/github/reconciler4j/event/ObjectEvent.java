package io.github.reconciler4j.event;

/**
 * An event about an object, reported by a watch or a source outside the cluster. Immutable.
 *
 * <!-- snippet: WatchingReconciler -->
 * <pre>{@code
 * public boolean test(ObjectEvent<?> event) {
 *     return LABELS.test(event);
 * }
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
public sealed interface ObjectEvent<T> {

    /** Return the object as it is now; for a deletion, its last known state. */
    ObjectSnapshot<T> snapshot();

    /**
     * An object was created or is selected now.
     *
     * @param snapshot the object
     * @param initial whether it existed when the watch or the subscription started
     */
    record Created<T>(ObjectSnapshot<T> snapshot, boolean initial) implements ObjectEvent<T> {}

    /**
     * An object changed, or is delivered again by a resync.
     *
     * @param previous the object as it was before
     * @param snapshot the object as it is now
     * @param resync whether nothing changed and a resync delivers the object
     */
    record Updated<T>(ObjectSnapshot<T> previous, ObjectSnapshot<T> snapshot, boolean resync)
            implements ObjectEvent<T> {}

    /**
     * An object was deleted or is not selected any more.
     *
     * @param snapshot the last known state of the object
     * @param finalStateUnknown whether the deletion was detected by a relist, so that the snapshot can be outdated
     */
    record Deleted<T>(ObjectSnapshot<T> snapshot, boolean finalStateUnknown) implements ObjectEvent<T> {}

    /**
     * An object belongs to a part that the cache does not hold any more. It is not known to be deleted, and another process
     * has it now. Only subscriptions of a divided cache receive this event; controllers drop it, because they do not reconcile
     * objects of other parts.
     *
     * @param snapshot the last known state of the object
     */
    record Departed<T>(ObjectSnapshot<T> snapshot) implements ObjectEvent<T> {}

    /**
     * An event outside the cluster that concerns an object.
     *
     * @param snapshot the object
     */
    record Generic<T>(ObjectSnapshot<T> snapshot) implements ObjectEvent<T> {}
}
