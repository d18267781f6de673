package io.github.reconciler4j.handler;

/** Which owners of a changed object are told. */
public enum OwnerMatch {
    /** The owner marked as the managing controller; an object has at most one. */
    CONTROLLER,
    /** Every owner. */
    ANY
}
