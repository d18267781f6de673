package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.client.error.NotFoundException;

/**
 * Reads and sets the number of replicas of any kind that has the {@code scale} subresource. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * if (client.scale().get(deployment).getSpec().getReplicas() < 3) {
 *     client.scale().set(deployment, 3);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ScaleClient {

    /**
     * Return the scale of an object.
     *
     * @throws NotFoundException if the object does not exist, or its kind has no scale
     */
    Scale get(HasMetadata object);

    /** Set the replicas of an object; see {@link #set(HasMetadata, int, WriteOptions)}. */
    default Scale set(HasMetadata object, int replicas) {
        return set(object, replicas, WriteOptions.defaults());
    }

    /**
     * Set the replicas of an object, regardless of its version.
     *
     * @throws IllegalArgumentException if the number is negative
     * @throws NotFoundException if the object does not exist, or its kind has no scale
     */
    Scale set(HasMetadata object, int replicas, WriteOptions options);
}
