package io.github.reconciler4j.plan;

import io.github.reconciler4j.client.ObservedWrite;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;

/**
 * What an operator would do to one object. Immutable.
 *
 * @param kind the kind of the object
 * @param key the key of the object; the name ends with {@code *} if the API server generates it, and from the second one with the same
 *     prefix with a number before that
 * @param subresource the subresource, for example {@code scale}, {@code ""} for the object itself
 * @param after the object that must be ready first, for example {@code Deployment shop/db}; {@code ""} without one
 * @param causes the requests that lead to the change, each as the name of the controller and the object; only the controller for a
 *     write of another thread of a reconciler, and empty for one of a thread that belongs to no controller
 * @param fields the fields that would differ, with the values masked as in {@link ObservedWrite.Change}; empty if it is pruned
 * @since 0.1.0
 */
public record PlannedChange(
        Effect effect,
        KindName kind,
        ObjectKey key,
        String subresource,
        String after,
        List<String> causes,
        List<ObservedWrite.Change> fields) {

    /** Copy the lists. */
    public PlannedChange {
        causes = List.copyOf(causes);
        fields = List.copyOf(fields);
    }

    /**
     * What would happen to the object.
     *
     * @since 0.1.0
     */
    public enum Effect {
        /** It would be created. */
        CREATED,
        /** Fields of it would change. */
        CHANGED,
        /** It would be deleted, and created again. */
        REPLACED,
        /** It would be deleted. */
        PRUNED
    }
}
