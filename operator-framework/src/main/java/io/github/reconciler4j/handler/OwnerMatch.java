package io.github.reconciler4j.handler;

/**
 * Which owners of a changed object are enqueued.
 *
 * @since 0.1.0
 */
public enum OwnerMatch {
    /** The owner that is marked as the managing controller; an object has at most one. */
    CONTROLLER,
    /** Every owner. */
    ANY
}
