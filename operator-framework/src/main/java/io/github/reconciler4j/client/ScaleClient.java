package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.client.error.NotFoundException;

/**
 * Reads and sets the number of replicas of any kind that has the {@code scale} subresource. Safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public interface ScaleClient {

    /**
     * The scale of an object.
     *
     * @throws NotFoundException if there is no such object, or its kind has no scale
     */
    Scale get(HasMetadata object);

    /** Sets the replicas of an object, whatever its version. */
    default Scale set(HasMetadata object, int replicas) {
        return set(object, replicas, WriteOptions.defaults());
    }

    /**
     * Sets the replicas of an object, whatever its version.
     *
     * @throws IllegalArgumentException if the number is negative
     * @throws NotFoundException if there is no such object, or its kind has no scale
     */
    Scale set(HasMetadata object, int replicas, WriteOptions options);
}
