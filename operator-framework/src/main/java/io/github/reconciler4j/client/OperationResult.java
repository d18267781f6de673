package io.github.reconciler4j.client;

/**
 * The outcome of {@link Client#applyWithOutcome}, {@link Client#createOrUpdate} and {@link Client#createOrPatch}. Immutable.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * OperationResult<ConfigMap> result = client.applyWithOutcome(wanted, ApplyOptions.defaults());
 * return result.outcome() == OperationResult.Outcome.CREATED;
 * }</pre>
 *
 * @param object the object as it is now
 * @param outcome what was done
 * @param <T> the class of the object
 * @since 0.1.0
 */
public record OperationResult<T>(T object, Outcome outcome) {

    /**
     * What an operation did.
     *
     * @since 0.1.0
     */
    public enum Outcome {
        /** The object did not exist and was created. */
        CREATED,
        /** The object was as desired; nothing was sent. */
        UNCHANGED,
        /** The object was written. */
        UPDATED,
        /** The object and its status were written. */
        UPDATED_WITH_STATUS,
        /** Only the status of the object was written. */
        UPDATED_STATUS_ONLY
    }
}
