package io.github.reconciler4j.controllers.internal.disruption;

import io.github.reconciler4j.scheme.ObjectKey;

/** What the controller works on. */
sealed interface DisruptionRequest {

    /** The key of the object. */
    ObjectKey key();

    /**
     * A PodDisruptionBudget.
     *
     * @param key its key
     */
    record OfBudget(ObjectKey key) implements DisruptionRequest {}

    /**
     * A pod that was to be evicted, but is not being deleted.
     *
     * @param key its key
     */
    record OfPod(ObjectKey key) implements DisruptionRequest {}
}
