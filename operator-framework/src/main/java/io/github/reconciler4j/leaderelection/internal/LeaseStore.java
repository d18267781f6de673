package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Stores a lease: one record that can be replaced only by a writer that has seen its latest version. Used by one thread at a
 * time.
 *
 * @since 0.1.0
 */
public interface LeaseStore {

    /** Return the name of the lease. */
    ObjectKey key();

    /**
     * Read the lease, empty if it does not exist.
     *
     * @throws ApiException if it cannot be read within the timeout
     */
    Optional<StoredLease> read(Duration timeout);

    /**
     * Create the lease.
     *
     * @throws ApiException if it exists or cannot be created within the timeout
     */
    StoredLease create(LeaseRecord record, Duration timeout);

    /**
     * Replace the lease if it has not changed since it was read.
     *
     * @throws ApiException if it has changed or cannot be written within the timeout
     */
    StoredLease update(StoredLease previous, LeaseRecord record, Duration timeout);

    /**
     * A version of the lease.
     *
     * @param record its content
     * @param handle what the store needs to replace this very version
     * @since 0.1.0
     */
    record StoredLease(LeaseRecord record, Object handle) {}
}
