package io.github.reconciler4j.client.internal.spi;

import io.github.reconciler4j.client.error.WriteRefusedException;

/**
 * Checks each write, except dry runs, right before it is sent. Lets a replica that has lost its lease stop writing at once.
 * Implementations are thread-safe and do not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteGate {

    /** Allows every write. */
    WriteGate OPEN = () -> {};

    /**
     * Return if a write may be sent now.
     *
     * @throws WriteRefusedException if it must not be sent
     */
    void check();
}
