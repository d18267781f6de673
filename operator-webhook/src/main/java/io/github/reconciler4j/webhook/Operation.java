package io.github.reconciler4j.webhook;

/**
 * What a user does to an object.
 *
 * @since 0.1.0
 */
public enum Operation {
    /** Create an object. */
    CREATE,
    /** Change an object. */
    UPDATE,
    /** Delete an object. */
    DELETE,
    /** Connect to an object, for instance to a pod with {@code kubectl exec}. */
    CONNECT
}
