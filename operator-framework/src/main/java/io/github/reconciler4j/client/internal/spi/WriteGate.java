package io.github.reconciler4j.client.internal.spi;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.WriteRefusedException;

/**
 * Checks each write, except dry runs, right before it is sent. Lets a replica that has lost its lease stop writing at once.
 * Implementations are thread-safe, and {@link #check} does not block.
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

    /** Send a write with all its attempts, or refuse it. */
    default ApiResponse send(ClientCall call, ClientInterceptor.Next next) {
        return next.proceed(call);
    }
}
