package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import java.time.Duration;
import java.util.List;

/**
 * The Leases of the replicas and of the shards. A list returns the state at one moment between the call and its return. Used by
 * one thread at a time. All methods throw an {@link ApiException} if the request fails or is not answered within the timeout; a
 * write may have been applied nevertheless.
 */
interface ShardStore {

    /** Return the Leases of the replicas. */
    List<Version> replicas(Duration timeout);

    /** Return the Leases of the shards. */
    List<Version> shards(Duration timeout);

    /** Create the Lease of a replica or a shard. */
    Version create(String name, boolean replica, LeaseRecord record, Duration timeout);

    /** Replace a Lease if it has not changed since this version. */
    Version update(Version previous, LeaseRecord record, Duration timeout);

    /** Mark the Lease of a replica as one that gives its shards away, or remove the mark. */
    void mark(Version previous, boolean leaving, Duration timeout);

    /** Delete a Lease if it has not changed since this version. */
    void delete(Version previous, Duration timeout);

    /**
     * A version of a Lease.
     *
     * @param name the name of the object
     * @param record its content
     * @param marks its labels
     * @param handle what the store needs to replace this very version
     */
    record Version(String name, LeaseRecord record, Marks marks, Object handle) {}

    /**
     * What the labels of a Lease say.
     *
     * @param layout how the replica divides the objects, {@code ""} for the Lease of a shard
     * @param leaving whether the replica gives its shards away
     */
    record Marks(String layout, boolean leaving) {}
}
