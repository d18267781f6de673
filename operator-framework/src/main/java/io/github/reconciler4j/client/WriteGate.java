package io.github.reconciler4j.client;

import io.github.reconciler4j.client.error.WriteRefusedException;

/**
 * Is asked right before each write leaves, dry runs excepted; throwing refuses the write. Lets a replica that has lost its
 * lease stop writing at once. Must be safe for use by many threads and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteGate {

    /** Lets every write pass. */
    WriteGate OPEN = () -> {};

    /**
     * Returns if a write may leave now.
     *
     * @throws WriteRefusedException if not
     */
    void check();
}
