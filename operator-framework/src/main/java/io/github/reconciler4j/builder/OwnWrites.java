package io.github.reconciler4j.builder;

/**
 * Whether a controller receives the updates of a secondary kind that its own reconciliations wrote.
 *
 * @since 0.1.0
 */
public enum OwnWrites {

    /** Every update is delivered. This is the default. */
    DELIVER,

    /**
     * An update is dropped for the request whose reconciliation wrote it. Every other request and every other controller receives
     * it, and so does the same request if anything else changed the object as well. Creations and deletions are always delivered.
     *
     * <p>An update counts as own if it is known which version it replaced: after {@code update}, {@code apply} and object sets,
     * and after a patch with {@link io.github.reconciler4j.client.ObjectPatch#lockedTo lockedTo}. Other patches are delivered, as are
     * writes on threads that do not inherit the {@link io.github.reconciler4j.client.WorkScope}. Use it if the reconciler does not need to see the result of
     * its writes, for instance a value that the API server fills in.
     */
    IGNORE
}
