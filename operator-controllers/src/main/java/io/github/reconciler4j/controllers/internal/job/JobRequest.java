package io.github.reconciler4j.controllers.internal.job;

import io.github.reconciler4j.scheme.ObjectKey;

/** What the controller works on. */
sealed interface JobRequest {

    /** The key of the object. */
    ObjectKey key();

    /**
     * A Job, and pods that have a Job of this name as their controller.
     *
     * @param key the key of the Job
     */
    record OfJob(ObjectKey key) implements JobRequest {}

    /**
     * A pod with the finalizer of Jobs that no Job owns.
     *
     * @param key the key of the pod
     */
    record OfOrphan(ObjectKey key) implements JobRequest {}
}
