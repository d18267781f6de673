package io.github.reconciler4j.client;

/**
 * The outcome of {@link Client#createOrUpdate} and {@link Client#createOrPatch}. Immutable.
 *
 * @param object the object as it is now
 * @param outcome what was done
 * @param <T> the class of the object
 * @since 0.1.0
 */
public record OperationResult<T>(T object, Outcome outcome) {

    /**
     * What was done.
     *
     * @since 0.1.0
     */
    public enum Outcome {
        /** It was missing and has been created. */
        CREATED,
        /** It was as wanted; nothing was sent. */
        UNCHANGED,
        /** It has been changed. */
        UPDATED,
        /** It and its status have been changed. */
        UPDATED_WITH_STATUS,
        /** Its status alone has been changed. */
        UPDATED_STATUS_ONLY
    }
}
