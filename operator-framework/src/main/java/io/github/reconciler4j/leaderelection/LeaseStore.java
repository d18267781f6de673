package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a lease is kept: one record that can only be replaced by somebody who has seen its newest version. Used by one
 * thread at a time.
 *
 * @since 0.1.0
 */
public interface LeaseStore {

    /** Where the lease is. */
    ObjectKey key();

    /**
     * Reads the lease, empty if there is none.
     *
     * @throws ApiException if it cannot be read within the timeout
     */
    Optional<Stored> read(Duration timeout);

    /**
     * Creates the lease.
     *
     * @throws ApiException if there is one already, or it cannot be created within the timeout
     */
    Stored create(LeaseRecord record, Duration timeout);

    /**
     * Replaces the lease if it is still the one that was read.
     *
     * @throws ApiException if it has changed since, or it cannot be written within the timeout
     */
    Stored update(Stored previous, LeaseRecord record, Duration timeout);

    /**
     * A lease as it was read or written.
     *
     * @param record what it says
     * @param handle what the store needs to replace just this version
     */
    record Stored(LeaseRecord record, Object handle) {}
}
